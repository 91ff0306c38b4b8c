import ApplePay
import BillfoldJSON

extension RequestReader {
    /// A name that another party chose: 1 to 64 letters, digits, `-`, `_` and `.`, because it stands in paths and keys.
    func identifier(_ key: String) throws(ProvisioningError) -> String {
        guard let name = try optionalIdentifier(key) else { throw Self.malformed(key, "is missing") }
        return name
    }

    func optionalIdentifier(_ key: String) throws(ProvisioningError) -> String? {
        guard let name = try optionalText(key, maximum: 64) else { return nil }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
            default: false
            }
        }
        // Dots alone would lead elsewhere in a path.
        guard isPlain, name.contains(where: { $0 != "." }) else {
            throw Self.malformed(key, "is not 1 to 64 letters, digits, '-', '_' and '.'")
        }
        return name
    }
}
