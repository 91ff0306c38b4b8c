import BillfoldStorage

extension Row {
    /// A column that holds one of an enumeration's names.
    func named<Name: RawRepresentable<String>>(_ column: Int, as type: Name.Type = Name.self) throws -> Name {
        guard let name = Name(rawValue: try text(column)) else {
            throw WalletError(code: .corruptRecord, reason: "column \(column) holds a name that this program does not know")
        }
        return name
    }

    func optionalID(_ column: Int) throws -> TimeOrderedID? { try optionalBlob(column).map { try TimeOrderedID(bytes: $0) } }
}
