import BillfoldDiagnosis

/// Whether the version that a message names is the one under which the key that made its signature is registered.
///
/// Only keys that came with a version tell: where none did, nothing is known of what is registered.
struct KeyVersionLint {
    let subject: String
    /// What the Signature header names; 1 where it names none.
    let named: Int
    let keys: AlipayPlusKeyFiles

    func findings(signedWith signer: AlipayPlusKeyFiles.Held) -> [Finding] {
        let sides = Set(keys.held.filter { $0.key == signer.key }.map { $0.side == .gateway })
        // Versions of Alipay+'s keys count on their own; a key whose owner nobody named is taken for a client's.
        let registered = keys.held.filter { $0.version != nil && sides.contains($0.side == .gateway) }
        let own = registered.filter { $0.key == signer.key }
        let ownVersions = Self.versions(own)
        let other = registered.first { $0.version == named && $0.key != signer.key }
        guard !ownVersions.contains(named), !own.isEmpty || other != nil else { return [] }
        var evidence: [Finding.Evidence] = [
            .init("keyVersion", String(named)), .init("signed with", own.first?.file ?? signer.file),
            .init("registered as version", own.isEmpty ? "none that is known" : Self.list(ownVersions)),
            .init("versions at hand", Self.list(Self.versions(registered))),
        ]
        if let other { evidence.append(.init("key of version \(named)", other.file)) }
        return [
            Finding(
                code: "alipay-plus.key-version", subject: subject, cause: cause(ownVersions, isTaken: other != nil), evidence: evidence,
                mend: mend(ownVersions, isTaken: other != nil))
        ]
    }

    private func cause(_ own: [Int], isTaken: Bool) -> String {
        guard let version = own.last else { return "The message names key version \(named), whose key did not make the signature." }
        return isTaken
            ? "The message names key version \(named), and the key of version \(version) made its signature."
            : "The message names key version \(named), which is not registered; the key of version \(version) made its signature."
    }

    private func mend(_ own: [Int], isTaken: Bool) -> String {
        guard let version = own.last else {
            return "Sign with the key that is registered as version \(named), or name the version of the key that signs."
        }
        return isTaken
            ? "Write keyVersion=\(version), or sign with the key of version \(named): key and number change together."
            : "Write keyVersion=\(version), or register the key as version \(named) before it is named."
    }

    private static func versions(_ held: [AlipayPlusKeyFiles.Held]) -> [Int] { Set(held.compactMap(\.version)).sorted() }

    private static func list(_ versions: [Int]) -> String { versions.map(String.init).joined(separator: ", ") }
}
