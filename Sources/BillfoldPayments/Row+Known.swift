package import BillfoldStorage

extension Row {
    /// A word of a closed list. Throws `corrupt-record` for any other.
    package func known<Value: RawRepresentable<String>>(_ column: Int) throws -> Value {
        guard let value = Value(rawValue: try text(column)) else {
            throw PaymentsError(code: .corruptRecord, reason: "a stored \(Value.self) is unknown")
        }
        return value
    }
}
