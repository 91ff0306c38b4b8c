package import HTTPTypes

extension HTTPFields {
    /// The same as the subscript, several values joined, and quicker for one: joining one costs as much as finding it twenty times.
    package func value(of name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count == 1 ? values[0] : self[name]
    }
}
