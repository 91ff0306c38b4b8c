import ArgumentParser
import Foundation
import PaymentCrypto

/// `keys issuer make`: a new key in the issuer's folder or on its token.
struct IssuerKeysMake: IssuerKeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make a zone key, a signing key or a decision key.",
        discussion: """
            A zone key that a network is to have too is made of components: name two or three files with --component-out and hand \
            them to as many persons. Each holds the component, and on its second line the component's check value.
            """)

    @Option(help: IssuerKeyKind.help) var kind: IssuerKeyKind
    @Option(help: "The key's name: a Visa key set such as 405551.2, a Mastercard alias, or any name for a decision key.") var id: String
    @Option(help: "A file to write one component of a zone key to. An existing one is not overwritten.") var componentOut: [String] = []
    @OptionGroup var options: IssuerKeysOptions

    func validate() throws {
        guard componentOut.isEmpty || kind == .zone && ZoneKeyComponent.counts.contains(componentOut.count) else {
            throw ValidationError("A zone key has two or three components, and no other key has any.")
        }
    }

    func reply(_ ring: IssuerKeyRing) async throws -> KeysReply {
        var generator = SystemRandomNumberGenerator()
        let id = try kind.id(id)
        var reply: [String: KeysValue] = [:]
        switch kind {
        case .zone where componentOut.isEmpty: try await ring.add(ZoneKey.make(using: &generator), as: id)
        case .zone:
            let (key, components) = ZoneKey.make(components: componentOut.count, using: &generator)
            var values: [KeysValue] = []
            for (path, component) in zip(componentOut, components) {
                let written = try await ZoneKeyComponent(component)
                try CommandFile.writePrivate(path, written.text)
                values.append(.text(written.checkValue))
            }
            try await ring.add(key, as: id)
            reply["componentCheckValues"] = .list(values)
        case .signing: try ring.add(.rsa(RSAPrivateKey(bits: 2048)), as: id, kind: kind)
        case .decision: try ring.add(.p256(P256PrivateKey(using: &generator)), as: id, kind: kind)
        }
        return KeysReply(try await ring.row(id, kind), how: "a new", more: reply)
    }
}

/// `keys issuer import`: a key of somebody else's making.
struct IssuerKeysImport: IssuerKeysReplying {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a zone key from its components, or a signing or decision key in PEM.",
        discussion: """
            A component's file holds 32 hexadecimal digits on its first line and may hold the component's check value on its second. \
            The key is the exclusive or of two or three components; no key is ever shown, nor taken from the command line.
            """)

    @Argument(help: "The private key in PEM, for a signing or decision key.") var file: String?
    @Option(help: IssuerKeyKind.help) var kind: IssuerKeyKind
    @Option(help: "The key's name: a Visa key set such as 405551.2, a Mastercard alias, or any name for a decision key.") var id: String
    @Option(help: "The file of one component of a zone key. Its owner alone may read it.") var component: [String] = []
    @Option(help: "The check value of the whole zone key, 6 hexadecimal digits: another one is refused.") var checkValue: String?
    @OptionGroup var options: IssuerKeysOptions

    func validate() throws {
        if kind == .zone {
            guard file == nil, ZoneKeyComponent.counts.contains(component.count) else {
                throw ValidationError("A zone key is imported from two or three components.")
            }
            guard checkValue.map(ZoneKeyComponent.isCheckValue) != false else {
                throw ValidationError("A check value has 6 hexadecimal digits.")
            }
        } else {
            guard file != nil, component.isEmpty, checkValue == nil else {
                throw ValidationError("A signing or decision key is imported from a file in PEM.")
            }
        }
    }

    func reply(_ ring: IssuerKeyRing) async throws -> KeysReply {
        let id = try kind.id(id)
        var reply: [String: KeysValue] = [:]
        if let file {
            let key = try PrivateKey(pem: CommandFile.text(file))
            switch (kind, key.publicKey.kind) {
            case (.signing, .rsa(bits: 2048...)), (.decision, .p256): break
            default:
                throw CommandFailure(
                    .refused, code: "key-kind", reason: "a signing key is RSA of 2048 bits at least, a decision key is on P-256")
            }
            try ring.add(key, as: id, kind: kind)
        } else {
            var parts: [ZoneKeyComponent] = []
            for path in component { parts.append(try await ZoneKeyComponent(file: path)) }
            let key = try ZoneKey(components: parts.map(\.bytes))
            let value = try await ZoneKey.checkValue(of: key.bytes)
            guard checkValue == nil || checkValue?.uppercased() == value else {
                throw ZoneKeyComponent.mismatch("the key", value)
            }
            try await ring.add(key, as: id)
            reply["componentCheckValues"] = .list(parts.map { .text($0.checkValue) })
        }
        return KeysReply(try await ring.row(id, kind), how: "an imported", more: reply)
    }
}

/// One person's part of a zone key.
struct ZoneKeyComponent {
    static let counts = 2...3

    let bytes: SecretBytes
    let checkValue: String

    init(_ bytes: SecretBytes) async throws {
        self.bytes = bytes
        checkValue = try await ZoneKey.checkValue(of: bytes)
    }

    /// Refuses with `component-unusable` a file that others may read or that holds something else, and with `check-value-mismatch` a
    /// component that was not written down as it was meant.
    init(file path: String) async throws {
        func unusable(_ why: String) -> CommandFailure {
            CommandFailure(.usage, code: "component-unusable", reason: "\(path) \(why)")
        }
        let lines = try CommandFile.secret(path) { unusable("is refused: \($0)") }.split(whereSeparator: \.isNewline)
        guard var bytes = lines.first.flatMap({ try? Hexadecimal.decode($0.filter { $0 != " " }) }), bytes.count == 16, lines.count <= 2
        else {
            throw unusable("does not hold 32 hexadecimal digits, and at the most a check value after them")
        }
        try await self.init(SecretBytes(taking: &bytes))
        guard lines.count == 2 else { return }
        let stated = lines[1].trimmingCharacters(in: .whitespaces)
        guard Self.isCheckValue(stated) else { throw unusable("has a second line that is no check value of 6 hexadecimal digits") }
        guard stated.uppercased() == checkValue else { throw Self.mismatch("the component in \(path)", checkValue) }
    }

    var text: String { "\(Hexadecimal.encode(bytes.reveal()).uppercased())\n\(checkValue)\n" }

    static func isCheckValue(_ text: String) -> Bool { text.utf8.count == 6 && (try? Hexadecimal.decode(text)) != nil }

    static func mismatch(_ what: String, _ value: String) -> CommandFailure {
        CommandFailure(
            .refused, code: "check-value-mismatch", reason: "\(what) has the check value \(value), and not the one that is stated")
    }
}
