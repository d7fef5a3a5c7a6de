import Domain

/// What the bot says about conversations and the rest of long answers.
extension Phrases {
    static let nothingMore = ["You have got all of your answers. HISTORY shows the last ones again."]

    static func noSuchAnswer(_ number: Int) -> [String] {
        ["There is no answer \(number) of yours. HISTORY shows the numbers of the last ones."]
    }

    static func moreNumber(_ bot: Nick) -> [String] {
        ["MORE takes the number of an answer, or none for the latest: /msg \(bot) MORE"]
    }

    static func waiting(_ count: Int, _ bot: Nick) -> String {
        let answers = count == 1 ? "An answer of yours" : "\(count) answers of yours"
        return "\(answers) could not be said when \(count == 1 ? "it" : "they") came: /msg \(bot) MORE"
    }

    static func afresh(_ place: Place) -> [String] {
        ["A new conversation \(words(place)): the AI is not told what you asked before."]
    }

    static func sameAgain(_ number: Int, _ bot: Nick) -> String {
        "The same answer as just before. To see it: /msg \(bot) MORE \(number)"
    }

    static func quietWhere(_ isQuiet: Bool, _ bot: Nick) -> [String] {
        let word = isQuiet ? "QUIET" : "RESUME"
        return ["Say \(word) in the channel that you mean, or name one where I answer: /msg \(bot) \(word) #channel"]
    }

    static func quietIsForOperators(_ channel: ChannelName) -> [String] {
        ["Only operators of \(channel) can tell me that, and I do not see that you are one."]
    }

    static func isQuiet(_ channel: ChannelName, _ bot: Nick) -> [String] {
        ["I am silent in \(channel) from now on, until an operator says there: \(bot): RESUME"]
    }

    static func isBack(_ channel: ChannelName) -> [String] { ["I answer in \(channel) again."] }

    static let thinking = ["Your question takes the AI a while. I am still waiting for the answer; STOP ends it."]

    static let stopping = ["Stopped. What came of the answer is kept: HISTORY 1 shows it."]
    static let nothingToStop = ["You have no question under way, so there is nothing to stop."]

    static func nothingToRetry(_ place: Place) -> [String] { ["You have asked nothing \(words(place)) yet."] }
    static let stillAnswering = ["Your last question is still being answered. STOP ends it, then RETRY asks it again."]

    static let noPasswordsThroughRelays =
        "That looked like a password. I take none through a relay: everybody on both sides can read it. If it was one,"
        + " change it wherever you use it."
    static let onlyQuestionsThroughRelays = "Through a relay you can only ask me, and say STOP."

    static func noGuestsThroughRelays(_ bot: Nick) -> String {
        "I answer people who are logged in, which cannot be done through a relay. Come to IRC and say: /msg \(bot) HELP"
    }

    static func askWhat(_ bot: Nick) -> [String] { ["Ask what? /msg \(bot) ASK <text>"] }

    private static func words(_ place: Place) -> String {
        place.spelling.map { "in \($0)" } ?? "in private"
    }
}
