import Network
import Testing

@Suite struct WebAddressTests {
    @Test func `has the parts that curl sees`() throws {
        let proxy = try #require(WebAddress("SOCKS5h://127.0.0.1:9050"))
        #expect((proxy.scheme, proxy.host, proxy.port) == ("socks5h", "127.0.0.1", 9050))
        #expect(!proxy.hasUser && proxy.path.isEmpty)
        let api = try #require(WebAddress("https://user:x@api.example.org/v1?a=b#c"))
        #expect((api.scheme, api.host, api.path) == ("https", "api.example.org", "/v1"))
        #expect(api.hasUser && api.port == nil)
        let six = try #require(WebAddress("smtps://[::1]:465/"))
        #expect((six.host, six.port, six.path) == ("::1", 465, ""))
        #expect(WebAddress("http://only@host")?.hasUser == true)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "api.example.org", "localhost:9050", "https:/one.example.org", "https://", "https://:80", "https:///v1",
            "https://h:0", "https://h:65536", "https://h:x", "https://a b", "://h", "https://h\n",
        ])
    func none(text: String) { #expect(WebAddress(text) == nil) }
}
