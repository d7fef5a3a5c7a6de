import Completions
import Dialogue
import Domain
import IRC
import IRCProtocol
import Runtime
import TestKit
import Testing

@testable import confab

@Suite struct ConfigurationTests {
    @Test func `what is not written has its default`() throws {
        let configuration = try read(smallest)
        #expect(configuration.bot.nick == "confab")
        #expect(configuration.networks[0].port == 6697)
        #expect(configuration.networks[0].isTLS)
        #expect(configuration.networks[0].pace.interval == .seconds(2))
        #expect(configuration.api.totalTimeout == .seconds(180))
        #expect(configuration.accounts.minPasswordLength == 6)
        #expect(configuration.log.level == .info)
    }

    @Test func `what is written holds`() throws {
        let configuration = try read(
            """
            [bot]
            nick = "sage"
            state_directory = "state"
            [[networks]]
            name = "one"
            host = "127.0.0.1"
            tls = false
            [networks.pace]
            burst = 9
            interval = "500ms"
            [[networks.channels]]
            name = "#a"
            listen = "addressed"
            max_lines = 3
            [[networks.channels]]
            name = "#b"
            key = "sesame"
            [[networks]]
            name = "two"
            host = "::1"
            port = 7000
            [api]
            base_url = "http://localhost:8080"
            model = "m"
            kind = "completions"
            temperature = 1
            stop = ["Q:"]
            first_byte_timeout = "1m"
            """, directory: "/etc/confab")
        #expect(configuration.bot.nick == "sage")
        #expect(configuration.bot.stateDirectory == "/etc/confab/state")
        #expect(configuration.networks.map(\.port) == [6667, 7000])
        #expect(configuration.networks[0].pace.burst == 9)
        #expect(configuration.networks[0].pace.interval == .milliseconds(500))
        let rules = configuration.dialogueSettings.channels[NetworkName(configuration.networks[0].name)]
        #expect(rules?.map(\.listen) == [.addressed, .all])
        #expect(configuration.networks[0].channels[1].key?.reveal() == "sesame")
        #expect(configuration.api.kind == .completions)
        #expect(configuration.api.temperature == 1)
        #expect(configuration.api.firstByteTimeout == .seconds(60))
    }

    @Test func `what people may choose is the network's, or the channel's own, and 0 takes a limit away`() throws {
        let settings = try read(
            """
            [[networks]]
            name = "here"
            host = "irc.example.org"
            models = ["owl"]
            [[networks.channels]]
            name = "#a"
            greeting = "Hello"
            [[networks.channels]]
            name = "#b"
            models = ["wren", "owl"]
            format = "plain"
            [api]
            base_url = "https://api.example.org/v1"
            model = "small"
            [answers]
            format = "irc"
            repeats = 0
            persona_length = 0
            [limits.channel]
            in_flight = 2
            """
        ).dialogueSettings
        let here = NetworkName("here")
        #expect(settings.models[here] == ["owl"])
        #expect(settings.channels[here]?.map(\.models) == [["owl"], ["wren", "owl"]])
        #expect(settings.channels[here]?.map(\.format) == [nil, .plain])
        #expect(settings.channels[here]?.map(\.greeting) == ["Hello", nil])
        #expect(settings.format == .irc)
        #expect(settings.maxRepeats == nil && settings.maxPersonaLength == 0)
        #expect(settings.inFlightPerChannel == 2 && settings.waitingPerChannel == nil)
    }

    @Test func `all problems are told at once, in the order of the file`() {
        let told = problems(
            """
            [bot]
            nik = "sage"
            nick = "two words"
            [[networks]]
            name = "one"
            port = "6697"
            [api]
            model = 7
            base_url = "api.example.org"
            """)
        #expect(told.count == 6)
        #expect(told[0] == "confab.toml:2: bot.nik: no such key. Did you mean nick?")
        #expect(told[1].hasPrefix("confab.toml:3: bot.nick = \"two words\": not a nick."))
        #expect(told[2].hasPrefix("confab.toml:4: networks[0].host: missing."))
        #expect(told[3] == "confab.toml:6: networks[0].port = \"6697\": not a whole number.")
        #expect(told.filter { $0.contains("api.") }.count == 2)
    }

    @Test(arguments: [
        ("[bot]\nnick = \"9lives\"", "not a nick"),
        ("[bot]\nusername = \"a b\"", "no user name"),
        ("[bot]\nrealname = \"a\\nb\"", "control character"),
        ("[bott]\nnick = \"a\"", "Did you mean bot?"),
        ("[accounts]\nmin_password_length = 5", "Give a number from 6 to 128"),
        ("[accounts]\nregistration = \"invite\"", "one of \"open\", \"closed\""),
        ("[accounts]\nrequire_email = 1", "not true or false"),
        ("[log]\nlevel = \"loud\"", "one of \"debug\", \"info\", \"warning\", \"error\""),
        ("[log]\nlevel = 2020-01-01", "a date or time: not one of"),
        ("log = 5", "not a table. Write [log]"),
    ])
    func `an impossible value of a section is told with its cure`(section: String, words: String) {
        let told = problems(section.hasPrefix("[") ? smallest + section : section + "\n" + smallest)
        #expect(told.count == 1)
        #expect(told.first?.contains(words) == true, "\(told)")
    }

    @Test(arguments: [
        ("port = 70000", "Give a number from 1 to 65535"),
        ("tls = false", "everybody on the way"),
        ("pins = [\"abc\"]", "64 hexadecimal digits"), ("pins = [\"spki:abc\"]", "\"spki:\" and base64"),
        ("ca_file = \"none.pem\"", "cannot be read: No such file or directory"),
        ("proxy = \"localhost:9050\"", "no proxy"),
        ("legacy_encoding = \"windows-9999\"", "no encoding"),
        ("legacy_encoding = \"UTF-16\"", "e.g. \"windows-1252\""),
        ("ca_file = \"/dev/null\"", "not a file"),
        ("sasl = {mechanisms = [\"SCRAM\"], account = \"a\", password_file = \"env:P\"}", "unknown mechanisms"),
        ("sasl = {account = \"a\"}", "nothing to log in with"),
        ("sasl = {mechanisms = [\"PLAIN\"], account = \"a\"}", "PLAIN needs a password"),
        ("sasl = {mechanisms = [\"SCRAM-SHA-256\"], account = \"a\"}", "SCRAM-SHA-256 needs a password"),
        ("sasl = {password_file = \"env:P\"}", "SCRAM-SHA-512 needs an account"),
        ("sasl = {mechanisms = [\"SCRAM-SHA-256\"], account = \"a\", password_file = \"env:Q\"}", "SCRAM cannot take"),
        ("sasl = {mechanisms = [\"ECDSA-NIST256P-CHALLENGE\"], account = \"a\"}", "needs a key"),
        ("sasl = {mechanisms = [\"EXTERNAL\"]}", "EXTERNAL proves a certificate"),
        ("sasl = {account = \"a\", key_file = \"none.key\"}", "cannot be read"),
        ("nickserv = {account = \"a\"}", "Name the file that holds the password"),
        ("nickserv = {password_file = \"env:P\"}", "missing, and command names it"),
        ("nickserv = {account = \"a b\", password_file = \"env:P\"}", "no word"),
        ("nickserv = {account = \"a\", password_file = \"env:P\", command = \"PRIVMSG N :ID\"}", "holds no {password}"),
        ("nickserv = {account = \"a\", password_file = \"env:P\", command = \":a N {password}\"}", "no line of IRC"),
        ("nickserv = {account = \"a\", password_file = \"env:P\", command = \"N {password} {x}\"}", "another place"),
        ("nickserv = {account = \"a\", password_file = \"env:L\"}", "too long for one line"),
        ("nickserv = {account = \"a\", password_file = \"env:P\", accepted = []}", "tells nothing"),
        ("pace = {burst = 0}", "Give a number from 1 to 10000"),
        ("pace = {interval = 2}", "not a duration such as"),
        ("pace = {interval = \"2 s\"}", "not a duration such as"),
        ("pace = {interval = \"1.25s\"}", "not a duration such as"),
        ("pace = {interval = \".5s\"}", "not a duration such as"),
        ("pace = {interval = \"1.5ms\"}", "not a duration such as"),
        ("pace = {interval = \"10m\"}", "Give \"0s\" to \"1m\""),
        ("channels = [{name = \"confab\"}]", "no channel"),
        ("channels = [{name = \"#a\"}, {name = \"#A\"}]", "has that channel already"),
        ("channels = [{name = \"#a\", listen = \"none\"}]", "one of \"all\", \"addressed\""),
        ("relays = [{nick = \"a b\"}]", "not a nick"),
        ("relays = [{nick = \"bridge\", allow_guests = true}]", "needs an account"),
        ("relays = [{nick = \"bridge\", allow_guests = true, account = \"a b\"}]", "no account's name"),
        ("channels = [\"#a\"]", "not a list of tables. Write [[networks[0].channels]]"),
    ])
    func `an impossible value of a network is told with its cure`(lines: String, words: String) {
        let text = smallest.replacing("[api]", with: lines + "\n[api]")
        let told = problems(
            text, environment: ["P": "secret", "Q": "e\u{301}", "L": String(repeating: "x", count: 480)])
        #expect(told.count == 1, "\(told)")
        #expect(told.first?.hasPrefix("confab.toml:") == true)
        #expect(told.first?.contains(words) == true, "\(told)")
    }

    @Test(arguments: [
        ("irc.example.org:6697", "holds a port"), ("ircs://irc.example.org", "a URL"), ("", "no host"),
        ("irc example", "no host"), ("[::1]", "a name or an address alone"),
    ])
    func `a host is a host alone`(host: String, words: String) {
        let told = problems(smallest.replacing("irc.example.org", with: host))
        #expect(told.count == 1)
        #expect(told.first?.contains(words) == true, "\(told)")
    }

    @Test(arguments: [
        ("http://api.example.org/v1", "everybody on the way"), ("ftp://api.example.org", "no URL"),
        ("https://user:key@api.example.org", "Keep the key in key_file"),
        ("https://api.example.org/v1/chat/completions", "names an endpoint"), ("https://", "no URL"),
        ("https://api.example.org/v1?key=1", "holds a ?"),
    ])
    func `a base URL is one the bot can use safely`(url: String, words: String) {
        let told = problems(smallest.replacing("https://api.example.org/v1", with: url))
        #expect(told.count == 1)
        #expect(told.first?.contains(words) == true, "\(told)")
    }

    @Test(arguments: ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
    func `clear text needs no leave on this machine`(host: String) {
        let local = smallest.replacing("\"irc.example.org\"", with: "\"\(host)\"\ntls = false")
        #expect(problems(local) == [])
    }

    @Test(arguments: ["127.0.0.1.example.org", "128.0.0.1", "127.0.0.256", "localhost.example.org", "::2"])
    func `clear text needs leave everywhere else`(host: String) {
        let remote = smallest.replacing("\"irc.example.org\"", with: "\"\(host)\"\ntls = false")
        #expect(problems(remote).count == 1)
        #expect(problems(remote.replacing("tls = false", with: "tls = false\ninsecure = true")) == [])
    }

    @Test func `PLAIN over clear text needs leave even on this machine`() {
        let sasl = "sasl = {mechanisms = [\"PLAIN\"], account = \"a\", password_file = \"env:P\"}"
        let local = smallest.replacing("\"irc.example.org\"", with: "\"127.0.0.1\"\ntls = false\n\(sasl)")
        #expect(problems(local, environment: ["P": "p"]).first?.contains("PLAIN sends the password readable") == true)
        let allowed = local.replacing("tls = false", with: "tls = false\ninsecure = true")
        #expect(problems(allowed, environment: ["P": "p"]) == [])
    }

    @Test func `NickServ gets no password over clear text without leave`() {
        let nickServ = "nickserv = {account = \"a\", password_file = \"env:P\"}"
        let local = smallest.replacing("\"irc.example.org\"", with: "\"127.0.0.1\"\ntls = false\n\(nickServ)")
        #expect(problems(local, environment: ["P": "p"]).first?.contains("sends the password readable") == true)
        let allowed = local.replacing("tls = false", with: "tls = false\ninsecure = true")
        #expect(problems(allowed, environment: ["P": "p"]) == [])
    }

    @Test func `mechanisms are those there are secrets for, the one that shows least first, where nobody chose`() throws
    {
        let sasl = "sasl = {account = \"a\", password_file = \"env:P\"}"
        let local = smallest.replacing("\"irc.example.org\"", with: "\"127.0.0.1\"\ntls = false\n\(sasl)")
        let mechanisms = { (text: String) in
            try read(text, environment: ["P": "p"]).networks[0].sasl?.mechanisms.map(\.rawValue)
        }
        #expect(try mechanisms(local) == ["SCRAM-SHA-512", "SCRAM-SHA-256"])
        let encrypted = local.replacing("tls = false", with: "")
        #expect(try mechanisms(encrypted) == ["SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN"])
        let composed = try read(encrypted, environment: ["P": "e\u{301}"]).networks[0].sasl
        #expect(composed?.isFitForSCRAM == false)
    }

    @Test func `a key that cannot sign as ECDSA-NIST256P-CHALLENGE does is refused with the way to make one`() throws {
        let scratch = try Scratch()
        let path = try scratch.secret("no key", named: "sasl.key")
        let sasl = "sasl = {account = \"a\", key_file = \"\(path)\"}"
        let told = problems(smallest.replacing("[api]", with: sasl + "\n[api]"))
        #expect(told.count == 1 && told.first?.contains("openssl ecparam") == true, "\(told)")
    }

    @Test func `http to another host needs leave`() {
        let remote = smallest.replacing("https://api", with: "http://api")
        #expect(problems(remote + "insecure = true\n") == [])
    }

    @Test(arguments: [
        ("max_tokens = 8000", "leaves nothing for the question"),
        ("total_timeout = \"5s\"\nconnect_timeout = \"6s\"", "shorter than a part of it"),
        ("prompt_template = \"{question}\"", "only kind = \"completions\" has one"),
        ("kind = \"completions\"\nprompt_template = \"hi\"", "holds no {question}"),
        ("stop = [\"\"]", "would stop at once"), ("temperature = 3", "from 0.0 to 2.0"),
        ("max_in_flight = 0", "from 1"),
    ])
    func `an impossible value of the API is told with its cure`(lines: String, words: String) {
        let told = problems(smallest + lines)
        #expect(told.count == 1, "\(told)")
        #expect(told.first?.contains(words) == true, "\(told)")
    }

    @Test(arguments: [
        (
            "max_tokens = 8000", "", "networks[0].channels[0].max_tokens = 8000",
            "context_tokens in [api], which is 8000: nothing is left for the question. Lower it"
        ),
        (
            "max_tokens = 300", "max_tokens = 100\ncontext_tokens = 300\n", "networks[0].channels[0].max_tokens = 300",
            "which is 300"
        ),
        (
            "stream_to_channel = \"sentences\"", "stream = false\n",
            "networks[0].channels[0].stream_to_channel = \"sentences\"", "stream = false in [api]. Take that out"
        ),
        (
            "", "stream = false\n[answers]\nstream_to_channel = \"sentences\"\n",
            "answers.stream_to_channel = \"sentences\"", "or say \"whole\" here"
        ),
    ])
    func `what a place wants of the API and cannot have is told there`(
        channel: String, rest: String, setting: String, words: String
    ) {
        let place = "[[networks.channels]]\nname = \"#a\"\n\(channel)\n[api]"
        let told = problems(smallest.replacing("[api]", with: place) + rest)
        #expect(told.count == 1, "\(told)")
        #expect(told.first?.contains(setting) == true && told.first?.contains(words) == true, "\(told)")
    }

    @Test func `a channel may have longer answers than others, and one that is whole where none come piece by piece`() {
        let place = "[[networks.channels]]\nname = \"#a\"\nmax_tokens = 7999\nstream_to_channel = \"whole\"\n[api]"
        #expect(problems(smallest.replacing("[api]", with: place) + "stream = false\n") == [])
    }

    @Test func `a short total deadline alone shortens its parts`() throws {
        let api = try read(smallest + "total_timeout = \"5s\"\n").api
        #expect(api.connectTimeout == .seconds(5) && api.firstByteTimeout == .seconds(5))
    }

    @Test func `a secret under a wrong key is pointed to the file it belongs in`() {
        #expect(problems(smallest + "key = \"k\"\n").first?.contains("Did you mean key_file?") == true)
    }

    @Test func `a syntax error names line and column`() {
        #expect(problems("[bot]\nnick = \n").first?.hasPrefix("confab.toml: line 2, column") == true)
        #expect(problems("[bot]\nnick = \"a\"\nnick = \"b\"\n").first?.contains("line 3") == true)
    }

    @Test func `an empty file is told what it lacks`() {
        let told = problems("")
        #expect(told.contains { $0.contains("no network") })
        #expect(told.contains { $0.contains("api: missing") })
    }

    @Test func `two networks cannot share a name`() {
        let twice = "[[networks]]\nname = \"HERE\"\nhost = \"b.example.org\"\n" + smallest
        #expect(problems(twice).first?.contains("another network has this name") == true)
    }

    @Test func `values that may be secrets never show`() {
        let told = problems(
            """
            [[networks]]
            name = "here"
            host = "irc.example.org"
            server_password_file = "canary1"
            proxy = "socks5://user:canary2@host"
            channels = [{name = "#a", key = "canary3,x"}]
            password = "canary4"
            sasl = {account = "a", password_file = "env:P"}
            [api]
            base_url = "https://canary5:x@api.example.org"
            model = "m"
            key = "canary6"
            key_file = "canary7"
            """, environment: ["P": "canary8\ncanary8"])
        #expect(told.count == 8)
        #expect(!told.joined().contains("canary"))
    }
}
