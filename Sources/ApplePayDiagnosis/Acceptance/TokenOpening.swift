import ApplePay
import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// Opens a token with whatever is at hand and, where that fails, finds the known mistake under which it opens.
struct TokenOpening {
    let file: CaseFile
    let hashPairs: (any OAEPHashPairs)?

    /// How a token opened.
    struct Attempt {
        enum Way {
            /// apple-pay.md#decryption to the letter, with the key the header names.
            case regular
            /// With a merchant identifier that is not the certificate's.
            case otherIdentifier(String, hash: [UInt8])
            case trimmedSecret
            case hashPair(OAEPHash, OAEPHash)
            /// With another held key than the header names.
            case otherKey(String, PublicKey)
        }

        var way: Way?
        var plaintext: [UInt8]?
        var leadingZeroSecret = false
    }

    private typealias Identifier = (name: String, hash: [UInt8])

    func attempt(_ token: PaymentToken) -> Attempt {
        let named = file.keys.filter { $0.value.publicKey.sha256 == token.header.publicKeyHash }
        for key in named {
            let attempt = attempt(token, key.value)
            if attempt.plaintext != nil { return attempt }
        }
        for key in file.keys where key.value.publicKey.sha256 != token.header.publicKeyHash && !DiagnosisBudget.current.isOver {
            let attempt = attempt(token, key.value)
            if attempt.plaintext != nil {
                return Attempt(way: .otherKey(key.name, key.value.publicKey), plaintext: attempt.plaintext)
            }
        }
        return Attempt()
    }

    private func attempt(_ token: PaymentToken, _ key: PrivateKey) -> Attempt {
        switch (token.header.key, key) {
        case (.ephemeralPublicKey(let info), .p256(let key)): agree(token, info: info, key: key)
        case (.wrappedKey(let wrapped), .rsa(let key)): unwrap(token, wrapped: wrapped, key: key)
        default: Attempt()
        }
    }

    private func agree(_ token: PaymentToken, info: [UInt8], key: P256PrivateKey) -> Attempt {
        guard let secret = try? key.sharedSecret(subjectPublicKeyInfo: info) else { return Attempt() }
        let (own, others) = identifiers(for: key.publicKey)
        let leadingZero = secret.first == 0
        func opens(_ secret: [UInt8], _ hash: [UInt8]) -> [UInt8]? {
            guard let derived = try? TokenKeyDerivation.key(sharedSecret: secret, merchantIdentifierHash: hash) else { return nil }
            return try? TokenDecryptor.open(token, symmetricKey: derived)
        }
        for identifier in own {
            if let plaintext = opens(secret, identifier.hash) {
                return Attempt(way: .regular, plaintext: plaintext, leadingZeroSecret: leadingZero)
            }
        }
        for identifier in others {
            if let plaintext = opens(secret, identifier.hash) {
                return Attempt(
                    way: .otherIdentifier(identifier.name, hash: identifier.hash), plaintext: plaintext, leadingZeroSecret: leadingZero)
            }
        }
        guard leadingZero else { return Attempt() }
        for identifier in own + others {
            if let plaintext = opens(Array(secret.drop { $0 == 0 }), identifier.hash) {
                return Attempt(way: .trimmedSecret, plaintext: plaintext, leadingZeroSecret: true)
            }
        }
        return Attempt(leadingZeroSecret: true)
    }

    /// The identifiers that belong to the key by its certificate (or, without one, by the hints), and all others at hand.
    private func identifiers(for key: PublicKey) -> (own: [Identifier], others: [Identifier]) {
        let hints: [Identifier] = file.hints.compactMap { hint in
            hint.value.merchantIdentifier.map { ($0, MerchantIdentifier.hash($0)) }
        }
        let certificates = file.merchants.filter { $0.value.publicKeyHash == key.sha256 }
        guard !certificates.isEmpty else { return (hints, []) }
        let own: [Identifier] = certificates.compactMap { certificate in
            certificate.value.anyMerchantIdentifierHash.map { (certificate.value.subject.userID ?? certificate.name, $0) }
        }
        let subjects: [Identifier] = certificates.compactMap { certificate in
            certificate.value.subject.userID.map { ($0, MerchantIdentifier.hash($0)) }
        }
        return (own, (subjects + hints).filter { other in !own.contains { $0.hash == other.hash } })
    }

    private func unwrap(_ token: PaymentToken, wrapped: [UInt8], key: RSAPrivateKey) -> Attempt {
        if let symmetric = try? key.openOAEPSHA256(wrapped), let plaintext = try? TokenDecryptor.open(token, symmetricKey: symmetric) {
            return Attempt(way: .regular, plaintext: plaintext)
        }
        guard let hashPairs else { return Attempt() }
        for hash in OAEPHash.allCases {
            for mask in OAEPHash.allCases where (hash, mask) != (.sha256, .sha256) {
                guard let symmetric = hashPairs.unwrap(wrapped, privateKeyDER: key.pkcs8, hash: hash, mask: mask),
                    let plaintext = try? TokenDecryptor.open(token, symmetricKey: symmetric)
                else { continue }
                return Attempt(way: .hashPair(hash, mask), plaintext: plaintext)
            }
        }
        return Attempt()
    }

    func findings(_ token: PaymentToken, in name: String, after attempt: Attempt) -> [Finding] {
        switch attempt.way {
        case .regular: []
        case .otherIdentifier(let identifier, let hash): [otherIdentifier(token, in: name, identifier: identifier, hash: hash)]
        case .trimmedSecret:
            [
                Finding(
                    code: "apple-pay.trimmed-secret", subject: name,
                    cause: "The token opens only with a shared secret whose leading zeros were dropped.",
                    evidence: [
                        .init("leading byte of Z", "00"), .init("opens with 32 bytes", "no"), .init("opens with zeros dropped", "yes"),
                    ],
                    mend: "Keep Z at 32 bytes, big-endian, on both sides: one agreement in 256 starts with a zero.")
            ]
        case .hashPair(let hash, let mask):
            [
                Finding(
                    code: "apple-pay.oaep-hash", subject: name,
                    cause: "The key was wrapped by OAEP with \(hash.rawValue) and MGF1 with \(mask.rawValue).",
                    evidence: [.init("OAEP hash", hash.rawValue), .init("MGF1 hash", mask.rawValue)],
                    mend: "Use SHA-256 for both the OAEP hash and MGF1, with an empty label.")
            ]
        case .otherKey(let keyName, let key):
            [
                Finding(
                    code: "apple-pay.key-hash-mismatch", subject: name,
                    cause: "The token opens with another held key than its header names.",
                    evidence: [
                        .init("header publicKeyHash", StrictBase64.encode(token.header.publicKeyHash)),
                        .init("opens with \(keyName)", StrictBase64.encode(key.sha256)),
                    ],
                    mend: "The header's hash is not signed: choose by it, and refuse the token when that key does not open it.")
            ]
        case nil: unopened(token, name)
        }
    }

    private func otherIdentifier(_ token: PaymentToken, in name: String, identifier: String, hash: [UInt8]) -> Finding {
        let certificate = file.merchants.first { $0.value.publicKeyHash == token.header.publicKeyHash }
        return Finding(
            code: "apple-pay.merchant-identifier-mismatch", subject: name,
            cause: "The key was derived for another merchant identifier than the certificate's.",
            evidence: [
                .init("opens with", identifier), .init("SHA-256 of it", Hexadecimal.encode(hash)),
                .init("certificate's hash", certificate?.value.anyMerchantIdentifierHash.map { Hexadecimal.encode($0) } ?? "absent"),
            ],
            mend: "Make the app's entitlement, the request's merchantIdentifier and the server's certificate name one merchant.")
    }

    /// Nothing at hand opens the token: which of key, kind and identifier is to blame.
    private func unopened(_ token: PaymentToken, _ name: String) -> [Finding] {
        let certificates = file.merchants.filter { $0.value.publicKeyHash == token.header.publicKeyHash }
        let keys = file.keys.filter { $0.value.publicKey.sha256 == token.header.publicKeyHash }
        if !keys.isEmpty { return namedKeyDoesNotOpen(token, name) }
        // With the right certificate and only wrong keys, the pair itself is reported already.
        guard certificates.isEmpty, !file.keys.isEmpty || !file.merchants.isEmpty else { return [] }
        let identity = file.merchants.filter { $0.value.isMerchantIdentity }
        if !identity.isEmpty, identity.count == file.merchants.count {
            return [
                Finding(
                    code: "apple-pay.identity-certificate", subject: identity[0].name,
                    cause: "This is the merchant identity certificate; tokens are encrypted to the payment processing certificate.",
                    evidence: [
                        .init("extended key usage", "TLS client authentication"),
                        .init("header publicKeyHash", StrictBase64.encode(token.header.publicKeyHash)),
                        .init("certificate publicKeyHash", StrictBase64.encode(identity[0].value.publicKeyHash)),
                    ],
                    mend: "Deploy the payment processing certificate and its key for opening tokens; keep this one for web sessions.")
            ]
        }
        let wanted = Finding.Evidence("header publicKeyHash", StrictBase64.encode(token.header.publicKeyHash))
        let processing = file.processing
        guard !processing.isEmpty else { return onlyKeyIsAnother(token, in: name, wanted: wanted) }
        let hashes = Set(processing.map(\.value.publicKeyHash))
        var held: [Finding.Evidence] = processing.map { merchant in
            .init(
                merchant.name,
                "\(StrictBase64.encode(merchant.value.publicKeyHash)), \(merchant.value.notBefore.formatted(.iso8601)) to "
                    + merchant.value.notAfter.formatted(.iso8601))
        }
        held += file.keys.filter { hashes.contains($0.value.publicKey.sha256) }.map {
            .init($0.name, "\(StrictBase64.encode($0.value.publicKey.sha256)), \($0.value.description)")
        }
        guard processing.contains(where: { (try? $0.value.publicKey).map { Self.fits($0.kind, token.version) } ?? false }) else {
            return [
                Finding(
                    code: "apple-pay.key-kind", subject: name,
                    cause: "The token is \(token.version.rawValue) and only certificates for keys of the other kind are held.",
                    evidence: [.init("version", token.version.rawValue), wanted] + held,
                    mend: "Hold both kinds: EC P-256 for most regions, RSA 2048 for China mainland; a server must accept both at any time.")
            ]
        }
        return [
            Finding(
                code: "apple-pay.unknown-public-key-hash", subject: name, cause: "The token was made for a key that is not held.",
                evidence: [wanted] + held,
                mend: "After a renewal keep both keys in the ring, and check which certificate is active; choose by publicKeyHash.")
        ]
    }

    /// Without a certificate, nothing says what a key is for: only a lone key of the token's kind was surely meant for it.
    private func onlyKeyIsAnother(_ token: PaymentToken, in name: String, wanted: Finding.Evidence) -> [Finding] {
        guard file.keys.count == 1, let key = file.looseKeys.first, Self.fits(key.value.publicKey.kind, token.version) else { return [] }
        return [
            Finding(
                code: "apple-pay.unknown-public-key-hash", severity: .warning, subject: name,
                cause: "The token was made for another key than the one among the files.",
                evidence: [wanted, .init(key.name, "\(StrictBase64.encode(key.value.publicKey.sha256)), \(key.value.description)")],
                mend: "Hand over the key that the header names; if it should be this one, check which certificate is active.")
        ]
    }

    static func isSameKind(_ one: PublicKey.Kind, _ other: PublicKey.Kind) -> Bool {
        switch (one, other) {
        case (.p256, .p256), (.p384, .p384), (.rsa, .rsa): true
        default: false
        }
    }

    private static func fits(_ kind: PublicKey.Kind, _ version: PaymentToken.Version) -> Bool {
        switch (version, kind) {
        case (.ecV1, .p256), (.rsaV1, .rsa): true
        default: false
        }
    }

    private func namedKeyDoesNotOpen(_ token: PaymentToken, _ name: String) -> [Finding] {
        let evidence: [Finding.Evidence] = [.init("header publicKeyHash", StrictBase64.encode(token.header.publicKeyHash))]
        let (own, _) = identifiersOfNamedKey(token)
        if token.version == .ecV1, file.merchants.allSatisfy({ $0.value.publicKeyHash != token.header.publicKeyHash }) {
            guard !own.isEmpty else { return [] }
            return [
                Finding(
                    code: "apple-pay.merchant-identifier-mismatch", subject: name,
                    cause: "The key is the one that the header names, and it does not open the token under the given merchant identifier.",
                    evidence: evidence + own.map { .init("SHA-256 of \($0.name)", Hexadecimal.encode($0.hash)) },
                    mend: "Use the identifier that the certificate was issued for; its extension 1.2.840.113635.100.6.32 holds the hash.")
            ]
        }
        return [
            Finding(
                code: "apple-pay.does-not-open", subject: name,
                cause: token.version == .rsaV1 && hashPairs == nil
                    ? "The key that the header names does not unwrap the token's key by OAEP with SHA-256; other hashes were not tried."
                    : "The key that the header names does not open the token, under any known mistake.",
                evidence: evidence,
                mend: "The data, the key field or the header's hash was altered, or the token was encrypted to another key.")
        ]
    }

    private func identifiersOfNamedKey(_ token: PaymentToken) -> (own: [Identifier], others: [Identifier]) {
        guard let key = file.keys.first(where: { $0.value.publicKey.sha256 == token.header.publicKeyHash }) else { return ([], []) }
        return identifiers(for: key.value.publicKey)
    }
}
