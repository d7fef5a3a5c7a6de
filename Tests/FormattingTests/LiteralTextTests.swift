import Domain
import Formatting
import Testing

/// What people ask a model about and what looks like markup: none of it may change.
@Suite struct LiteralTextTests {
    static let paths = [
        #"C:\Users\me\.ssh\config"#, #"\\fileserver\share"#, #"\\fileserver\share\_archive\*.bak"#, #"D:\*.tmp"#,
        #"Look in C:\Program Files (x86)\Steam\steamapps\common."#, #"\\?\C:\very\long\path"#,
        #"\\.\pipe\docker_engine"#,
        #"%USERPROFILE%\.gitconfig and %APPDATA%\*.log"#, #"$env:APPDATA\.cache\_old"#, #"HKLM\SOFTWARE\Microsoft\*"#,
        #"/etc/nginx/sites-*/default_*"#, #"~/.config/*_rc and ~/.local/*_bin"#, #"file:///C:/a_b_c/*"#,
        #"src/**/*.ts and lib/**/*.js"#, #"**/node_modules/**"#, #"*.c *.h *_test.go"#, #"~~/.cache~~"#,
        #"C:\_temp\_new"#, #"a\b\c"#, #"domain\user"#, #"..\..\secret.txt"#,
    ]

    static let patterns = [
        #"^\d+\.\d+$"#, #"\bword\b"#, #"[A-Za-z_]\w*"#, #"^(\w+)\s*=\s*(.*)$"#, #"\*\.txt$"#, #"[^\]]*\]"#, #"a\.b\.c"#,
        #"(?<year>\d{4})-(?<month>\d{2})"#, #"^\s*#.*$"#, #"\[(\d+)\]"#, #"^[^*_]+\*$"#, #".*?\*.*?"#,
        #"\(\d{3}\) \d{4}"#,
        #"[0-9](abc)"#, #"(a|b)[c](d)"#, #"\\d matches a digit"#, #"x{2,3}\+"#, #"\<word\>"#, #"foo\|bar"#, #"^\*+$"#,
        #"(?:https?:\/\/)?[\w.-]+"#, #"\$\{name\}"#, #"[\[\]]"#,
    ]

    static let shell = [
        #"s/\//\\/g"#, #"sed 's/\./_/g; s/\*/x/'"#, #"sed -e 's/^\(.*\)$/\1/'"#, #"awk '{ print $1 * $2 }'"#,
        #"find . -name \*.c -o -name \*.h"#, #"grep 'a\|b' *.txt"#, #"expr 2 \* 3"#, #"echo $((2*3*4))"#,
        #"for f in *_old; do mv $f ${f%_old}; done"#, #"rm -rf -- *~ .*~"#, #"cmd1 && cmd2 || cmd3 &"#,
        #"2>&1 >/dev/null"#,
        #"cat <<EOF >> out"#, #"diff <(a) <(b)"#, #"docker run -v $PWD:/a_b \"#, #"printf '%s\n' "$@""#, #"!$ and !!"#,
        #"kill -9 $$"#, #"PS1='\u@\h:\w\$ '"#, #"tr -d '\r\n'"#, #"[ -f x ] && [[ $a == b* ]]"#,
        #"set FOO=%BAR%_%BAZ%"#,
        #"dir *.* /s /b"#, #"find -exec rm {} \;"#,
    ]

    static let maths = [
        #"\(a^2 + b^2\)"#, #"\[ x_1 * x_2 * x_3 \]"#, #"$a_i * b_i * c_i$"#, #"$(*)$ and $(*)$"#,
        #"$$\sum_{i=1}^{n} x_i$$"#,
        #"\frac{a}{b} \cdot \alpha_1"#, #"\text{a\_b}"#, #"\{x \mid x > 0\}"#,
        #"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}"#,
        #"\left[ a, b \right)"#, #"$x_{i}$, $y_{j}$ and $z_{k}$"#, #"a*b + c*d"#, #"f(x) = 2*x**2"#, #"(a*b)*(c*d)"#,
        #"|x| + |y| >= |x + y|"#, #"5 * 3 * 2 = 30"#, #"3 < 4 > 2"#, #"{a_b}_c and {d_e}_f"#, #"x' * y'"#,
        #"n! and !n"#,
        #"$5*2=$10"#, #"1/2 * 3/4"#, #"x^2_1 and x^2_2"#,
    ]

    static let code = [
        #"handlers[i](event)"#, #"foo[Int](3)"#, #"callbacks[0](req.body)"#, #"table["key"](self.value)"#,
        #"a[i][j](k.id)"#,
        #"vector<std::string> and map<std::string, int>"#, #"List<Map<String, Integer>>"#, #"Option<&'a str>"#,
        #"a->b & c"#,
        #"char *p, *q = *r;"#, #"int **pp = &p;"#, #"int *a; int *b"#, #"void (*f)(int *, char *)"#, #"*p++ = *q++"#,
        #"if (a<b && c>d)"#, #"__init__ and __name__"#, #"_foo and _bar"#, #"self._x * self._y"#,
        #"lambda *args, **kw: x"#,
        #"$_GET['a'] and $_POST['b']"#, #"@property"#, #"#include <stdio.h>"#, #"#!/bin/sh"#, #">>> print(2*3)"#,
        #">= 5"#,
        #">=5"#, #"a >>= 1"#, #"x = y ?? z"#, #"`"#, #"std::cout << a << b;"#, #"&mut *x"#, #"&str and &[u8]"#,
        #"arr[0] = arr[1]: no"#, #"[INFO]: started"#, #"[a, b](c, d)"#, #"\n and \t and \\"#, #"\u00e9 and \x41"#,
        #"fn f<T: Into<String>>(x: T)"#, #"[[nodiscard]] int f()"#, #"{{ user.name }} and {% if x %}"#, #"a ~> 1.2"#,
    ]

    static let marks = [
        #"write &lt; for <"#, #"&amp; is an ampersand, &#2; is none, &nbsp; a space"#, #"&copy; &#169; &#xA9;"#,
        #"R&D; Q&A;"#,
        #"<div class="a">*</div>"#, #"use <br> to break"#, #"the tag "<br>" breaks"#, #"(<br/>)"#, #"</think>"#,
        #"<3 and </3"#,
        #"~~not this~~"#, #"#hashtag and #another_tag"#, #"#1 is first"#, #"1)"#, #"a) b) c)"#, #"[^1] and [^2]"#,
        #"[^1]: a footnote"#, #"[1]: https://example.org/a"#, #"[x] done"#, #"| a | b |"#, #"a | b | c"#, #"+---+---+"#,
        #"Write "**bold**" for bold and '*slanted*' for italics"#, #"it is *"#, #"5* hotel, 4* hotel"#,
        #"it is * or _"#, #"*-* and *-*"#,
        #"-_- and -_-"#, #"¯\_(ツ)_/¯"#, #":-* and :*"#, #">_< and >.<"#, #"\o/ and \m/"#, #"o_O and T_T"#, #"(*_*)"#,
        #"^_^ ;_;"#,
        #"@user_name_x and u/some_user_"#, #"---8<---"#, #"C# and C++ and F*"#, #"Price: 5\*"#, #"AT&T and H&M"#,
        #"***"#,
        #"5' 10" * 3"#, #"e.g. *.example.org, *.example.net"#, #"https://example.org/a_b_c?d=1&e=*f*&amp;g"#,
        #"1 + 1 = 2"#,
        #"==marked== and ^up^"#, #":smile: :thumbs_up: :x:"#, #"[text](url)"#, #"![alt](image)"#, #"[a](b c d)"#,
    ]

    static let all = paths + patterns + shell + maths + code + marks

    @Test func `there are many, and they are told apart`() {
        #expect(all.count >= 180 && Set(all).count == all.count)
    }

    private var all: [String] { Self.all }

    @Test(arguments: all) func `it comes through as written`(text: String) {
        #expect(Markdown.plainLines(text) == [text])
        #expect(Markdown.formattedLines(text) == [text])
    }

    @Test(arguments: all) func `within a sentence too`(text: String) {
        let sentence = "Try \(text) instead of it"
        #expect(Markdown.plainLines(sentence) == [sentence])
    }

    @Test(arguments: all.filter { !$0.contains("`") }) func `and in code`(text: String) {
        #expect(Markdown.plainLines("```\n\(text)\n```") == ["  " + text])
        let inline = Markdown.plainLines("So `\(text)` it is")
        #expect(["So \(text) it is", "So `\(text)` it is"].contains(inline.first))
    }

    @Test func `a formula of several lines keeps all its marks`() {
        let formula = ["\\[", "x_1 * y_1 + (*)_2 \\\\", "z_*^* \\{ a \\}", "\\]"]
        #expect(Markdown.plainLines(formula.joined(separator: "\n")) == formula)
        let dollars = ["$$", "a_{*} * b_{*}", "$$", "and b"]
        #expect(Markdown.plainLines(dollars.joined(separator: "\n")) == dollars)
    }

    @Test(
        "a backslash goes where it shields markup",
        arguments: [
            (#"\*no emphasis\*"#, "*no emphasis*"), (#"\_no\_ and \*\*no\*\*"#, "_no_ and **no**"),
            (#"snake\_case and max\_tokens=5"#, "snake_case and max_tokens=5"), ("\\# no heading", "# no heading"),
            (#"\- no item"#, "- no item"), (#"\+ no item"#, "+ no item"), (#"\* no item"#, "* no item"),
            (#"1986\. A great year"#, "1986. A great year"), (#"1\) no item"#, "1) no item"),
            (#"\> no quote"#, "> no quote"),
            (#"\[no\](https://example.org) link"#, "[no](https://example.org) link"),
            (#"\[no](https://example.org) link"#, "[no](https://example.org) link"),
            (#"\!\[no](https://example.org/x.png)"#, "![no](https://example.org/x.png)"),
            (#"\`no code\`"#, "`no code`"), (#"2\*3\*4"#, "2*3*4"), (#"\__init\__"#, "__init__"),
        ])
    func shields(text: String, shown: String) {
        #expect(Markdown.plainLines(text) == [shown])
    }

    @Test(
        "what is markup is still taken for it",
        arguments: [
            (#"**C:\Users\me**"#, #"C:\Users\me"#), (#"**C:\**"#, #"C:\"#),
            (#"*\d+* is a pattern"#, #"\d+ is a pattern"#),
            ("`a\\b` and **c**", "a\\b and c"),
            ("[a](/docs) and [b](example.org/x)", "a (/docs) and b (example.org/x)"),
            ("[a](docs/guide.html#top)", "a (docs/guide.html#top)"),
            ("see[^1] [a](https://e.org)", "see[^1] a (https://e.org)"),
            ("请看[链接](https://e.org)。", "请看链接 (https://e.org)。"), ("<https://e.org>", "https://e.org"),
            ("costs **$5** or **$6**", "costs $5 or $6"), (#"say "*so*, yes""#, #"say "so, yes""#),
            ("**src/** has it, **and**/**or** not; type **/help**", "src/ has it, and/or not; type /help"),
            ("f[0](https://e.org)", "f0 (https://e.org)"), ("**a** & **b**", "a & b"),
            ("\\(x\\) is **bold**", "\\(x\\) is bold"),
        ])
    func markup(text: String, shown: String) {
        #expect(Markdown.plainLines(text) == [shown])
    }

    @Test func `a bar in a table's cell is one, and a path in it stays`() {
        let table = "| a | b |\n|---|---|\n| x \\| y | C:\\Users\\_me\\.ssh |\n| `p \\| q` | \\d+ |"
        #expect(
            Markdown.plainLines(table) == [
                "a       | b", #"x | y   | C:\Users\_me\.ssh"#, #"`p | q` | \d+"#,
            ])
    }
}
