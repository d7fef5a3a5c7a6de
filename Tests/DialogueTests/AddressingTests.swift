import Domain
import Testing

@testable import Dialogue

@Suite struct AddressingTests {
    private static func addressing(_ text: String, to bot: String = "bot", _ mapping: CaseMapping = .rfc1459)
        -> Addressing
    {
        let members = ["alice", "carol[x]"].map { Nick($0, mapping) }
        return Addressing(text, names: [Nick(bot, mapping), Nick("confab", mapping)], mapping: mapping) {
            members.contains($0)
        }
    }

    @Test(
        "the bot is addressed by its name, with or without a sign, in any case",
        arguments: [
            "bot: hi there", "bot:hi there", "bot, hi there", "bot,hi there", "bot hi there", "Bot: hi there",
            "BOT:   hi there", "@bot hi there", "@bot: hi there", "bot; hi there", "bot - hi there", "bot — hi there",
            "bot> hi there", "bot! hi there", "<dave> bot: hi there", "<dave> BOT, hi there",
            "[discord] <dave> bot: hi there", "(dave) bot, hi there", "<dave/irc> bot: hi there",
            "**dave**: bot: hi there", "<d\u{200B}ave> bot: hi there",
        ])
    func addressed(_ text: String) { #expect(Self.addressing(text) == .bot("hi there")) }

    @Test(
        "the name inside another word is not the bot",
        arguments: [
            "robotics is fun", "bots are fun", "bot_ is away", "bot-like", "bot's answer", "bot.example.org is down",
            "bot|away",
        ])
    func boundary(_ text: String) { #expect(Self.addressing(text) == .everyone) }

    @Test func `the name alone is something to answer`() {
        #expect(Self.addressing("bot?") == .bot("bot?"))
        #expect(Self.addressing("bot") == .bot("bot"))
        #expect(Self.addressing("bot: ?") == .bot("bot: ?"))
    }

    @Test func `names are compared by the network's casemapping`() {
        #expect(Self.addressing("BOT{AI}: hi", to: "bot[ai]") == .bot("hi"))
        #expect(Self.addressing("BOT{AI}: hi", to: "bot[ai]", .ascii) == .everyone)
    }

    @Test(
        "a line that opens with a member's nick is for them",
        arguments: ["alice: hi", "Alice, look", "@alice look", "carol{x}: hi", "<dave> alice: hi"])
    func someoneElse(_ text: String) { #expect(Self.addressing(text) == .someoneElse) }

    @Test(
        "a line that opens with a word and a colon is for everyone if nobody is called so",
        arguments: ["note: mind the gap", "alice is here", "hm, why?", "@nobody hi"])
    func noMember(_ text: String) { #expect(Self.addressing(text) == .everyone) }

    @Test func `every name of the bot is one`() {
        #expect(Self.addressing("confab: hi") == .bot("hi"))
        #expect(Self.addressing("Confab, hi") == .bot("hi"))
        #expect(Self.addressing("hi there, confab") == .bot("hi there"))
    }

    @Test(
        "the name may come last, behind a comma or an @",
        arguments: [
            ("what is 2+2, bot?", "what is 2+2?"), ("thanks, BOT!", "thanks!"), ("what is 2+2, bot", "what is 2+2"),
            ("what is 2+2 @bot", "what is 2+2"), ("what is 2+2, @bot?", "what is 2+2?"),
            ("are you there , bot ?!", "are you there?!"), ("is it so, bot...  ", "is it so..."),
            ("今天星期几，bot？", "今天星期几？"), ("<dave> why, bot?", "why?"),
        ])
    func closing(_ text: String, _ asked: String) { #expect(Self.addressing(text) == .bot(asked)) }

    @Test(
        "a line that happens to end with the name is not for the bot",
        arguments: [
            "I like bot", "who runs this bot?", "alice@bot", "we have a, b,bot", "it is a robot, mybot?", ", bot?",
            "that is a,bot",
            "well, bot's",
        ])
    func notClosing(_ text: String) { #expect(Self.addressing(text) == .everyone) }

    @Test func `whom a line opens with comes before whom it ends with`() {
        #expect(Self.addressing("alice: what is 2+2, bot?") == .someoneElse)
        #expect(Self.addressing("!seen alice, bot?") == .otherBot)
    }

    @Test(
        "commands to other bots are no questions",
        arguments: ["!seen alice", ".weather", "~quote", "%help", "?rust", "+karma"])
    func otherBots(_ text: String) { #expect(Self.addressing(text) == .otherBot) }

    @Test(
        "a sign that opens no command is part of a question",
        arguments: ["... and then?", "!!", "?", "$PATH is empty", "-Wall means what", "`let` or `var`", ".5 plus .5"])
    func signs(_ text: String) { #expect(Self.addressing(text) == .everyone) }

    @Test func `a command to another bot is a question when the bot is addressed`() {
        #expect(Self.addressing("bot: !seen means what") == .bot("!seen means what"))
    }
}
