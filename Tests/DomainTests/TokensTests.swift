import Domain
import Testing

@Suite struct TokensTests {
    @Test(arguments: [("abcdefgh", 2), ("abcdefghi", 3), ("日本語", 3), ("naïve", 2), ("", 0)])
    func `four ASCII letters are a token, and any other letter is one`(text: String, tokens: Int) {
        #expect(Tokens.estimate(text) == tokens)
    }
}
