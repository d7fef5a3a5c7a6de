/// Arithmetic on numbers that strangers chose: servers, APIs, whoever wrote a row. It ends at the ends instead of trapping.
extension FixedWidthInteger {
    public func addingSaturated(_ other: Self) -> Self {
        let (sum, isOver) = addingReportingOverflow(other)
        if !isOver { return sum }
        return other > 0 ? .max : .min
    }

    public func subtractingSaturated(_ other: Self) -> Self {
        let (difference, isOver) = subtractingReportingOverflow(other)
        if !isOver { return difference }
        return other > 0 ? .min : .max
    }

    public func multipliedSaturated(by other: Self) -> Self {
        let (product, isOver) = multipliedReportingOverflow(by: other)
        if !isOver { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }
}
