public import Foundation

/// Private keys and their certificates in a folder: mode 0700, files 0600, an index in JSON, each file replaced whole.
///
/// A server reads it at its start and again when its index changes. Processes that change it wait for each other. Private keys
/// are PKCS#8 in PEM: sealed where the store has a ``KeyEncryption``, protected by the file's mode alone where it has none.
public struct KeyStore: Sendable {
    private struct Index: Codable {
        var version = 1
        var keys: [StoredKey] = []
    }

    private static let indexName = "index.json"
    private static let plainLabel = "PRIVATE KEY"
    private static let sealedLabel = "BILLFOLD SEALED KEY"
    let folder: DurableFolder
    private let encryption: KeyEncryption?

    /// Names the folder; nothing is read or made yet.
    ///
    /// - Parameters:
    ///   - folder: Closed to other users, or refused; need not exist before the first key is added.
    ///   - encryption: Seals keys that are added, and opens sealed ones. Plain ones are read with it as well.
    public init(folder: URL, encryption: KeyEncryption? = nil) {
        self.folder = DurableFolder(url: folder)
        self.encryption = encryption
    }

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

    /// Retires a key: its private half is removed and this store cannot give it back, its name stays; the disk may keep its blocks. Doing it again changes nothing.
    ///
    /// Throws `key-active` for an active key unless `evenActive`. Retire an old key only when its last message is older
    /// than the freshness window and the new key's propagation (apple-pay.md#key-rotation).
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
        let name = Self.keyName(stored.id)
        let file = try pem(name)
        guard let sealed = try? file.first(Self.sealedLabel) else { return try file.first(Self.plainLabel) }
        guard let encryption else {
            throw PaymentCryptoError(code: .keySealed, reason: "key \(stored.id) is sealed, and no key-encryption key was given")
        }
        return try encryption.open(sealed, for: name)
    }

    /// Whether the private key lies sealed in its file.
    public func isSealed(_ id: String) throws(PaymentCryptoError) -> Bool {
        try pem(Self.keyName(try key(id).id)).blocks.contains { $0.label == Self.sealedLabel }
    }

    /// Writes every private key again, sealed under the present key-encryption key, and returns how many. A crash leaves some
    /// keys sealed and some not yet; running it again finishes. Throws `invalid-parameter` for a store without encryption.
    public func seal() throws(PaymentCryptoError) -> Int {
        guard encryption != nil else {
            throw PaymentCryptoError(code: .invalidParameter, reason: "no key-encryption key was given")
        }
        try folder.prepare()
        return try folder.locked { () throws(PaymentCryptoError) -> Int in
            let held = try keys.filter { $0.state != .retired }
            for stored in held { try write(pkcs8(stored.id), id: stored.id) }
            return held.count
        }
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
                let known = index.keys[position]
                guard known.publicKeyHash == StrictBase64.encode(publicKeyHash), known.purpose == purpose else {
                    throw PaymentCryptoError(
                        code: .duplicateKey, reason: "key \(id) is in the store already, as a \(known.purpose.rawValue) key")
                }
                guard known.state != .retired else {
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
            try write(pkcs8, id: id)
            index.keys.append(stored)
            Self.activate(id, in: &index.keys)
            try save(index)
            return index.keys[index.keys.count - 1]
        }
    }

    private func write(_ pkcs8: [UInt8], id: String) throws(PaymentCryptoError) {
        let name = Self.keyName(id)
        var block = PEMText.Block(label: Self.plainLabel, bytes: pkcs8)
        if let encryption { block = PEMText.Block(label: Self.sealedLabel, bytes: try encryption.seal(pkcs8, for: name)) }
        try folder.write(name, Data(block.text.utf8))
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
