/// A queue in an array: what is taken from the front is moved up only when it is half of all.
package struct FIFO<Element> {
    private var storage: [Element] = []
    private var head = 0

    package var isEmpty: Bool { head == storage.count }
    package var first: Element? { isEmpty ? nil : storage[head] }
    package var elements: ArraySlice<Element> { storage[head...] }

    package mutating func append(_ element: Element) { storage.append(element) }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = storage[head]
        head += 1
        if head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    package mutating func updateFirst(_ body: (inout Element) -> Void) {
        if !isEmpty { body(&storage[head]) }
    }

    package mutating func removeAll(where isGone: (Element) -> Bool) {
        storage = elements.filter { !isGone($0) }
        head = 0
    }

    package mutating func replace(_ old: Element, with new: Element) where Element: Equatable {
        for index in elements.indices where storage[index] == old { storage[index] = new }
    }
}

extension FIFO: Sendable where Element: Sendable {}
