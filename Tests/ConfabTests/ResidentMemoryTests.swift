import Testing

@testable import confab

@Suite struct ResidentMemoryTests {
    @Test func `only what is never written to is forgotten`() {
        #expect(
            ResidentMemory.readOnlyMapping("1000-3000 r-xp 00026000 fe:00 1312    /usr/lib/libc.so.6")
                == 0x1000..<0x3000)
        #expect(ResidentMemory.readOnlyMapping("1000-3000 r--p 00000000 fe:00 1312 /usr/lib/a b") == 0x1000..<0x3000)
        for other in [
            "1000-3000 rw-p 00026000 fe:00 1312    /usr/lib/libc.so.6",
            "1000-3000 r--p 00026000 fe:00 1312    /usr/lib/libc.so.6", "1000-3000 r-xp 00000000 00:00 0    [vdso]",
            "1000-3000 r-xp 00000000 00:00 0", "", "3000-1000 r-xp 0 0 0 /x",
        ] {
            #expect(ResidentMemory.readOnlyMapping(other) == nil)
        }
    }
}
