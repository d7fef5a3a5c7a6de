import Runtime
import Testing

struct CleanTextTests {
    @Test(arguments: [
        ("plain text, Grüße, 日本語, 👍🏽", "plain text, Grüße, 日本語, 👍🏽"), ("a\u{1B}[31mb\u{7}", "a [31mb "),
        ("a\r\nb", "a  b"),
        ("a\u{9B}31mb\u{85}c", "a 31mb c"), ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}e", "a b c d e"),
        ("a\u{2028}b\tc\0d", "a b c d"), ("e\u{301}", "e\u{301}"), ("", ""),
    ])
    func `nothing of a stranger's steers a terminal`(text: String, cleaned: String) {
        #expect(text.cleaned == cleaned)
    }

    @Test func `the lines of a report stay lines`() {
        #expect("one\u{1B}c\ntwo\r\n\nthree".cleanedLines == "one c\ntwo \n\nthree")
    }
}
