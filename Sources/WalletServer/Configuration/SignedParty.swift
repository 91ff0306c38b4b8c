package import MiniPrograms
import PaymentCrypto

/// A key that a party signs its calls with, as it was registered.
package struct CallKey: Sendable, Hashable, Codable {
    /// As `keyVersion` names it. A party that rotates registers the next version beside the old one, and later takes the old one away.
    package var version: Int
    /// DER of the SubjectPublicKeyInfo of an RSA key.
    package var subjectPublicKeyInfo: [UInt8]

    package init(version: Int, subjectPublicKeyInfo: [UInt8]) {
        self.version = version
        self.subjectPublicKeyInfo = subjectPublicKeyInfo
    }

    private enum CodingKeys: String, CodingKey { case version, subjectPublicKeyInfo }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        subjectPublicKeyInfo = try container.base64(forKey: .subjectPublicKeyInfo)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(StrictBase64.encode(subjectPublicKeyInfo), forKey: .subjectPublicKeyInfo)
    }

    /// Nil where one is no RSA key, two have one version, or there is none.
    static func ring(_ keys: [CallKey]) -> [Int: PublicKey]? {
        var ring: [Int: PublicKey] = [:]
        for key in keys {
            guard let parsed = try? PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo), case .rsa = parsed.kind,
                ring.updateValue(parsed, forKey: key.version) == nil
            else { return nil }
        }
        return ring.isEmpty ? nil : ring
    }
}

/// A merchant's client at the OAuth server: who may exchange the codes of which mini programs (mini-programs.md#client-id: its id is not
/// the mini program's).
package struct OAuthClient: Sendable, Hashable, Codable {
    /// `authClientId`.
    package var id: String
    package var name: String
    package var keys: [CallKey]
    /// The ids of its mini programs. A code of any other is none of its.
    package var apps: [String]
    /// A closed client is answered `INVALID_AUTH_CLIENT_STATUS`.
    package var isOpen: Bool

    package init(id: String, name: String, keys: [CallKey], apps: [String], isOpen: Bool = true) {
        self.id = id
        self.name = name
        self.keys = keys
        self.apps = apps
        self.isOpen = isOpen
    }
}

/// Whoever makes mini programs, uploads them and sends them to review.
package struct MiniProgramAuthor: Sendable, Hashable, Codable {
    /// What packages are verified with.
    package struct PackageKey: Sendable, Hashable, Codable {
        /// As a package's signature names it.
        package var id: String
        /// DER of the SubjectPublicKeyInfo, of an RSA or an elliptic-curve key.
        package var subjectPublicKeyInfo: [UInt8]

        package init(id: String, subjectPublicKeyInfo: [UInt8]) {
            self.id = id
            self.subjectPublicKeyInfo = subjectPublicKeyInfo
        }

        private enum CodingKeys: String, CodingKey { case id, subjectPublicKeyInfo }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            subjectPublicKeyInfo = try container.base64(forKey: .subjectPublicKeyInfo)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(StrictBase64.encode(subjectPublicKeyInfo), forKey: .subjectPublicKeyInfo)
        }
    }

    package var id: String
    package var name: String
    package var keys: [CallKey]
    package var packageKeys: [PackageKey]
    /// The workspaces that its mini programs may belong to.
    package var workspaces: [String]
    /// A closed author is answered `INVALID_AUTH_CLIENT_STATUS`; what is released stays.
    package var isOpen: Bool

    package init(
        id: String, name: String, keys: [CallKey], packageKeys: [PackageKey], workspaces: [String], isOpen: Bool = true
    ) {
        self.id = id
        self.name = name
        self.keys = keys
        self.packageKeys = packageKeys
        self.workspaces = workspaces
        self.isOpen = isOpen
    }

    /// Nil where one is no key, two have one id, or there is none.
    var packageRing: KeyRing<PublicKey>? {
        var ring = KeyRing<PublicKey>()
        for key in packageKeys {
            guard let parsed = try? PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo),
                (try? ring.add(KeyID(key.id), parsed)) != nil
            else { return nil }
        }
        return packageKeys.isEmpty ? nil : ring
    }
}

/// Where a mini program was published from.
package struct MiniProgramWorkspace: Sendable, Hashable {
    package var id: String
    /// The super app's own, or one from which mini programs are offered to several wallets.
    package var kind: MiniProgramMetadata.Workspace
    package var name: String

    package init(id: String, kind: MiniProgramMetadata.Workspace, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
    }
}

/// A party that was found by the id in its call, with its keys parsed.
struct SignedParty: Sendable {
    enum Who: Sendable {
        case client(OAuthClient)
        case author(MiniProgramAuthor)
    }

    let who: Who
    let keys: [Int: PublicKey]

    var id: String {
        switch who {
        case .client(let client): client.id
        case .author(let author): author.id
        }
    }

    var isOpen: Bool {
        switch who {
        case .client(let client): client.isOpen
        case .author(let author): author.isOpen
        }
    }
}

extension KeyedDecodingContainer {
    /// Bytes as one text, which is read with every call of the party: as a list of numbers they took a quarter of a consent's time. Rows of
    /// before hold such lists.
    fileprivate func base64(forKey key: Key) throws -> [UInt8] {
        guard let text = try? decode(String.self, forKey: key) else { return try decode([UInt8].self, forKey: key) }
        guard let bytes = try? StrictBase64.decode(text) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "no base64")
        }
        return bytes
    }
}
