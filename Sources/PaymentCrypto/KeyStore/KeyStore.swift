public import Foundation

/// Private keys and their certificates in a folder: mode 0700, files 0600, an index in JSON, each file replaced whole.
///
/// A server reads it into a ``KeyRing`` at start. Processes that change it wait for each other. Private keys are PKCS#8 in
/// PEM, protected by the file's mode alone: put the folder on a disk that is encrypted.
public struct KeyStore: Sendable {
    private struct Index: Codable {
        var version = 1
        var keys: [StoredKey] = []
    }

    private static let indexName = "index.json"
    let folder: DurableFolder

    /// Names the folder; nothing is read or made yet.
    public init(folder: URL) { self.folder = DurableFolder(url: folder) }

    /// Every key's name, state and dates, in the order they were added. Empty when the folder does not exist yet.
    public var keys: [StoredKey] { get throws(PaymentCryptoError) { try index().keys } }

    /// The key with that id, or with that unambiguous beginning of it. Throws `unknown-key`.
    public func key(_ id: String) throws(PaymentCryptoError) -> StoredKey {
        let found = try keys.filter { $0.id == id || $0.id.hasPrefix(id.lowercased()) || $0.publicKeyHash == id }
        guard !id.isEmpty, found.count == 1 else {
            throw PaymentCryptoError(
                code: .unknownKey, reason: found.count > 1 ? "several keys begin with \(id)" : "no key \(id) in the store")
        }
        return found[0]
    }

    /// Adds a key as the active one of its purpose and kind; the one before it becomes old. Adding the same pair again
    /// changes nothing; adding a newer certificate of a key replaces the older one.
    ///
    /// Throws `key-mismatch` when certificate and key are no pair, `key-retired` for a key that was retired.
    public func add(
        _ key: PrivateKey, certificate: ParsedCertificate?, purpose: StoredKey.Purpose, at now: Date
    ) throws(PaymentCryptoError) -> StoredKey {
        let kind: StoredKey.Kind
        switch key {
        case .p256: kind = .ec
        case .rsa: kind = .rsa
        case .p384: throw PaymentCryptoError(code: .unsupportedKey, reason: "no purpose here takes a P-384 key")
        }
        if let certificate, try certificate.publicKey != key.publicKey {
            throw PaymentCryptoError(code: .keyMismatch, reason: "the private key does not belong to the certificate")
        }
        return try add(
            pkcs8: key.pkcs8, publicKeyHash: key.publicKey.sha256, kind: kind, certificate: certificate, purpose: purpose, at: now)
    }

    /// Adds an SM2 key, whose kind this library does not read, by its PKCS#8 and the SHA-256 of its public half.
    public func addSM2(pkcs8: [UInt8], publicKeyHash: [UInt8], at now: Date) throws(PaymentCryptoError) -> StoredKey {
        try add(
            pkcs8: pkcs8, publicKeyHash: publicKeyHash, kind: .sm2, certificate: nil, purpose: .signing, at: now)
    }

    /// Retires a key: its private half is removed and cannot be had back, its name stays. Doing it again changes nothing.
    ///
    /// Throws `key-active` for an active key unless `evenActive`. Retire an old key only when its last message is older
    /// than the freshness window and the new key's propagation (reference section 7).
    public func retire(_ id: String, evenActive: Bool = false, at now: Date) throws(PaymentCryptoError) -> StoredKey {
        try folder.prepare()
        return try folder.locked { () throws(PaymentCryptoError) -> StoredKey in
            var index = try index()
            let wanted = try key(id)
            guard let position = index.keys.firstIndex(where: { $0.id == wanted.id }) else { return wanted }
            guard wanted.state != .active || evenActive else {
                throw PaymentCryptoError(code: .keyActive, reason: "key \(wanted.id) is the active one")
            }
            if wanted.state != .retired {
                index.keys[position].state = .retired
                index.keys[position].retiredAt = now
                try save(index)
            }
            try folder.remove(Self.keyName(wanted.id))
            return index.keys[position]
        }
    }

    /// Makes an old key the active one of its purpose and kind.
    public func activate(_ id: String) throws(PaymentCryptoError) -> StoredKey {
        try folder.prepare()
        return try folder.locked { () throws(PaymentCryptoError) -> StoredKey in
            var index = try index()
            let wanted = try key(id)
            guard wanted.state != .retired else {
                throw PaymentCryptoError(code: .keyRetired, reason: "key \(wanted.id) was retired")
            }
            Self.activate(wanted.id, in: &index.keys)
            try save(index)
            return try key(wanted.id)
        }
    }

    /// The private key's PKCS#8. A secret. Throws `key-retired` when it was removed.
    public func pkcs8(_ id: String) throws(PaymentCryptoError) -> [UInt8] {
        let stored = try key(id)
        guard stored.state != .retired else {
            throw PaymentCryptoError(code: .keyRetired, reason: "key \(stored.id) was retired")
        }
        return try pem(Self.keyName(stored.id)).first("PRIVATE KEY")
    }

    /// The key's certificate, or nil when it has none.
    public func certificate(_ id: String) throws(PaymentCryptoError) -> ParsedCertificate? {
        let name = Self.certificateName(try key(id).id)
        guard folder.exists(name) else { return nil }
        return try ParsedCertificate(der: pem(name).first("CERTIFICATE"))
    }

    /// The keys of one purpose with their certificates, as a ring chosen by `publicKeyHash`. SM2 keys are left out.
    ///
    /// A purpose can have an active EC and an active RSA key; the ring's active one is then the one that was added last.
    public func ring(_ purpose: StoredKey.Purpose) throws(PaymentCryptoError) -> KeyRing<KeyPair> {
        var ring = KeyRing<KeyPair>()
        for stored in try keys where stored.purpose == purpose && stored.kind != .sm2 && stored.state != .retired {
            let pair = KeyPair(
                privateKey: try PrivateKey(der: pkcs8(stored.id)), certificate: try certificate(stored.id))
            try ring.add(stored.keyID, pair, state: stored.state, notBefore: stored.notBefore, notAfter: stored.notAfter)
        }
        return ring
    }

    private func add(
        pkcs8: [UInt8], publicKeyHash: [UInt8], kind: StoredKey.Kind, certificate: ParsedCertificate?,
        purpose: StoredKey.Purpose, at now: Date
    ) throws(PaymentCryptoError) -> StoredKey {
        try folder.prepare()
        return try folder.locked { () throws(PaymentCryptoError) -> StoredKey in
            var index = try index()
            let id = Hexadecimal.encode(publicKeyHash.prefix(8))
            if let position = index.keys.firstIndex(where: { $0.id == id }) {
                guard index.keys[position].state != .retired else {
                    throw PaymentCryptoError(code: .keyRetired, reason: "key \(id) was retired")
                }
                if let certificate { try update(&index.keys[position], certificate) }
                try save(index)
                return index.keys[position]
            }
            var stored = StoredKey(
                id: id, kind: kind, purpose: purpose, state: .old, publicKeyHash: StrictBase64.encode(publicKeyHash), addedAt: now)
            if let certificate { try update(&stored, certificate) }
            // The index is written last: a crash before leaves files that nothing names.
            try folder.write(
                Self.keyName(id), Data(PEMText.Block(label: "PRIVATE KEY", bytes: pkcs8).text.utf8))
            index.keys.append(stored)
            Self.activate(id, in: &index.keys)
            try save(index)
            return index.keys[index.keys.count - 1]
        }
    }

    /// Keeps the certificate that ends later.
    private func update(_ stored: inout StoredKey, _ certificate: ParsedCertificate) throws(PaymentCryptoError) {
        if let known = stored.notAfter, known > certificate.notAfter { return }
        stored.notBefore = certificate.notBefore
        stored.notAfter = certificate.notAfter
        try folder.write(Self.certificateName(stored.id), Data(certificate.pem.utf8))
    }

    private static func activate(_ id: String, in keys: inout [StoredKey]) {
        guard let chosen = keys.first(where: { $0.id == id }) else { return }
        for index in keys.indices where keys[index].purpose == chosen.purpose && keys[index].kind == chosen.kind {
            if keys[index].id == id {
                keys[index].state = .active
            } else if keys[index].state == .active {
                keys[index].state = .old
            }
        }
    }

    private func index() throws(PaymentCryptoError) -> Index {
        guard folder.exists(Self.indexName) else { return Index() }
        let data = try folder.read(Self.indexName)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let index = try? decoder.decode(Index.self, from: data), index.version == 1 else {
            throw PaymentCryptoError(code: .keyStoreDamaged, reason: "\(Self.indexName) is not what this store writes")
        }
        return index
    }

    private func save(_ index: Index) throws(PaymentCryptoError) {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(index) else {
            throw PaymentCryptoError(code: .keyStoreDamaged, reason: "the index cannot be encoded")
        }
        try folder.write(Self.indexName, data)
    }

    private func pem(_ name: String) throws(PaymentCryptoError) -> PEMText {
        try PEMText(String(decoding: folder.read(name), as: UTF8.self))
    }

    private static func keyName(_ id: String) -> String { id + ".key.pem" }
    private static func certificateName(_ id: String) -> String { id + ".certificate.pem" }
}
