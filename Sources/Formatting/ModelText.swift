/// What a model sent, as it came.
public enum ModelText {
    /// The answer in it: without thoughts before it, and without the tokens that end it.
    public static func answer(in text: String) -> String {
        ControlTokens.removed(fromEndOf: Reasoning.removed(from: text))
    }
}
