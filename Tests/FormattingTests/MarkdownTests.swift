import Formatting
import Testing

@Suite("Markdown as plain lines")
struct MarkdownTests {
    @Test(
        "what is no markup stays as it is",
        arguments: [
            "42", "42.", "-", "- 5", "+ 5", "2 * 3 * 4", "2*3*4 = 24", "width*height*depth", "5*x and 3*y",
            "x**2 + y**2 = z**2", "x**-1 + y**-1", "f(x)**2 + g(x)**2", "它是2**10和3**5",
            "2**10 is 1024 and 3**5 is 243", "(a+b)*c*(d)", "snake_case and a_b_c", "__init__ and __main__", "<stdin>",
            "a <b> c </b>", "C:\\path\\to", "C:\\*.tmp", "#channel is nice", "[INFO]: started",
            "[1]: https://example.org/a",
            "if a < b && c > d", "ls *.txt, *.md", "a/*.txt, b/*.md", "path/_internal_/x", "~/foo and ~/bar",
            "~~not this~~ this",
            "char *a, *b;", "def f(*args, **kwargs):", "$5 and $6", "`", "100%", "1986. A great year", "a\\nb",
            "it's 5 o'clock",
            "https://example.org/a_b_c?d=1&e=*f*", "<!-- a comment -->", "<?php echo 1; ?>", ":-) ;_; >_> ^_^ *_*",
            "---", "***", "a | b",
            "> 5 is greater", "@everyone", "!op me", "f(x) = a*b", "¯\\_(ツ)_/¯",
        ])
    func literal(text: String) {
        #expect(Markdown.plainLines(text) == [text])
    }

    @Test(
        "markup goes and its text stays",
        arguments: [
            ("# Title", ["Title"]), ("**Bold** and *italic* and ***both***", ["Bold and italic and both"]),
            ("Title\n=====\ntext", ["Title", "text"]), ("__Bold words__ and _this_", ["Bold words and this"]),
            ("这是**重点**内容", ["这是重点内容"]), ("**注意：**请看", ["注意：请看"]),
            ("これは**「重要」**です。**「二」**と**三**、**四**。", ["これは「重要」です。「二」と三、四。"]),
            ("a<br>b<br />c <br>", ["a", "b", "c <br>"]), ("<b>**x**</b>", ["<b>x</b>"]),
            ("**Note**: (*see* below).", ["Note: (see below)."]),
            ("**H**yper**T**ext", ["HyperText"]), ("one\ntwo  \nthree\\\nfour", ["one", "two", "three", "four"]),
            ("a\n\n\n\nb\n\n---\n\nc", ["a", "b", "c"]),
            ("\\*not emphasis\\* and snake\\_case", ["*not emphasis* and snake_case"]),
            ("AT&amp;T &lt;b&gt;", ["AT&amp;T &lt;b&gt;"]), ("", []), (" \n\t\n", []), ("a\r\nb\rc", ["a", "b", "c"]),
        ])
    func markup(text: String, lines: [String]) {
        #expect(Markdown.plainLines(text) == lines)
    }

    @Test("lists keep their nesting, marks and numbers")
    func lists() {
        let text = """
            * one
              * inner
                1. deep

                   second paragraph
            * two

            10. ten
            9. nine
            8. eight

            Then:

            1) a
            1) b

            - [x] done
            - [ ] open
            """
        #expect(
            Markdown.plainLines(text) == [
                "- one", "  - inner", "    1. deep", "      second paragraph", "- two", "10. ten", "9. nine",
                "8. eight",
                "Then:", "1) a", "2) b", "- [x] done", "- [ ] open",
            ])
    }

    @Test("code keeps its indentation, stands apart, and loses its fences")
    func code() {
        let text = """
            Run this:
            ```python
            def f(x):
                # a *comment* with ** and <b>

            \treturn x[0]: y
            ```
            > - quoted:
            >   ~~~
            >   code
            >   ~~~
            """
        #expect(
            Markdown.plainLines(text) == [
                "Run this:", "  def f(x):", "      # a *comment* with ** and <b>", "      return x[0]: y",
                "> - quoted:",
                ">     code",
            ])
        #expect(Markdown.plainLines("```\nnever closed") == ["  never closed"])
    }

    @Test("code within a line is bare where it is a word, else quoted")
    func inlineCode() {
        #expect(
            Markdown.plainLines("Use `--force`, `f()` or `git push -f`; end with `.`")
                == ["Use --force, f() or `git push -f`; end with `.`"])
    }

    @Test(
        "links show where they lead, once",
        arguments: [
            ("[text](https://e.org/a_b)", "text (https://e.org/a_b)"),
            ("[https://e.org](https://e.org)", "https://e.org"),
            ("[e.org](https://e.org)", "https://e.org"), ("<https://e.org/?a=1>", "https://e.org/?a=1"),
            ("<a@e.org>", "<a@e.org>"),
            ("[write](mailto:a@e.org)", "write (mailto:a@e.org)"), ("[above](#top)", "above"),
            ("[](https://e.org)", "https://e.org"),
            ("![a cat](https://e.org/c.png)", "a cat (https://e.org/c.png)"),
            ("[![badge](b.svg)](https://e.org)", "badge (b.svg) (https://e.org)"), ("[*a* b\nc](/u)", "a b c (/u)"),
            ("**[bold](https://e.org)**", "bold (https://e.org)"), ("[1] and [a][b]", "[1] and [a][b]"),
        ])
    func links(text: String, line: String) {
        #expect(Markdown.plainLines(text) == [line])
    }

    @Test("quotes are marked on each line")
    func quotes() {
        #expect(Markdown.plainLines("> a\nlazy\n>\n>> b\n\nc") == ["> a", "> lazy", "> > b", "c"])
    }

    @Test("a narrow table keeps its columns")
    func narrowTable() {
        let text = """
            | Name | Born | Note |
            |:-----|-----:|:----:|
            | **Ada** | 1815 | `x` |
            | 李 | 9 | a\\|b |
            """
        #expect(
            Markdown.plainLines(text) == [
                "Name | Born | Note", "Ada  | 1815 | x", "李   |    9 | a|b",
            ])
    }

    @Test("a wide table says each row in words")
    func wideTable() {
        let text = """
            | Language | What it is good for | Since |
            |---|---|---|
            | Swift | Applications and services that must be safe and fast | 2014 |
            | C | Everything below that, in the hands of careful people | |
            """
        #expect(
            Markdown.plainLines(text) == [
                "Language: Swift; What it is good for: Applications and services that must be safe and fast; Since: 2014",
                "Language: C; What it is good for: Everything below that, in the hands of careful people",
            ])
    }
}
