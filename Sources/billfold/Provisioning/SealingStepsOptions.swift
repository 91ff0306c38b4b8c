import ApplePay
import ArgumentParser
import BillfoldJSON
import PaymentCrypto

/// `--steps` of `provisioning seal` and `provisioning open`: each intermediate value, beside a file of expected ones.
///
/// What it prints opens the payload. It therefore wants to be told twice that keys are for tests: by a flag, and by a mark in the file of
/// the leaf's private key. No mark, no steps. Who holds only the certificate of a wallet's broker gets none, because Apple alone has that
/// key.
struct SealingStepsOptions: ParsableArguments {
    @Flag(help: "Also print each intermediate value in hexadecimal, card data and keys among them. Wants --test-keys.") var steps = false
    @Flag(help: "Say that every key and card here is for tests. The key's file has to say so too: keys make --test marks it.")
    var testKeys = false
    @Option(help: "With --steps: your values by their names; the first that differs is named, and the exit code is 1.")
    var expected: String?

    func validate() throws {
        guard steps || (!testKeys && expected == nil) else { throw ValidationError("--test-keys and --expected go with --steps.") }
    }

    /// Reads the private key of a file, and throws unless steps may be printed for it. Every doubt is a no. The file is read once: what was
    /// looked at is what is used.
    func testKey(in path: String) throws -> PrivateKey {
        guard testKeys else {
            throw CommandFailure(
                .usage, code: "test-keys-unsaid",
                reason: "--steps prints keys and card data: say --test-keys where every key and card is for tests")
        }
        let text = try CommandFile.text(path)
        guard TestKeyMark.stands(in: text) else {
            throw CommandFailure(
                .refused, code: "not-a-test-key",
                reason: "\(path) is not marked as a test key: keys make --test writes \"\(TestKeyMark.line)\" above the key, "
                    + "which is the file's only block"
            )
        }
        return try ProvisioningInput.key(text, of: path, as: "private key", by: PrivateKey.init(pem:))
    }

    /// The values of `--expected`; none without it.
    func expectations() throws -> ExpectedSteps? { try expected.map(ExpectedSteps.init(path:)) }
}

/// The line by which the file of a private key says that the key is for tests. Readers of PEM skip it.
enum TestKeyMark {
    static let line = "Billfold-Test-Key: no customer's card"

    /// Whether it is a line of the file before its only block. Of a file with several blocks nobody can say which of them it marks.
    ///
    /// A block begins wherever the reader of keys would see one, behind white space too.
    static func stands(in text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        let starts = lines.indices.filter { lines[$0].contains("-----BEGIN") }
        guard starts.count == 1, let start = starts.first else { return false }
        return lines[..<start].contains { $0.utf8.elementsEqual(line.utf8) }
    }
}

/// What somebody else's code came to, by the names of the steps.
struct ExpectedSteps {
    private let values: [SealingSteps.Name: [UInt8]]

    /// Reads `{"sharedSecret": "…hexadecimal…", …}`, or an answer that has such an object as `steps`. A name that is none is wrong usage:
    /// passed over, it would look as if it agreed.
    init(path: String) throws {
        let bytes = try CommandFile.read(path)
        let whole: JSONObject
        do throws(JSONError) {
            whole = try JSONReader.readObject(bytes)
        } catch {
            throw CommandFailure(.usage, code: error.code.description, reason: "\(path) is no JSON object: \(error.reason)")
        }
        var values: [SealingSteps.Name: [UInt8]] = [:]
        for member in (whole["steps"]?.object ?? whole).members {
            guard let name = SealingSteps.Name(rawValue: member.key) else {
                let known = SealingSteps.Name.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(.usage, code: "step-unknown", reason: "\(path): there is no step \(member.key); there are \(known)")
            }
            guard let text = member.value.string, let bytes = try? Hexadecimal.decode(text) else {
                throw CommandFailure(.usage, code: "malformed-hexadecimal", reason: "\(path): \(member.key) is no hexadecimal text")
            }
            values[name] = bytes
        }
        guard !values.isEmpty else { throw CommandFailure(.usage, code: "step-unknown", reason: "\(path) expects nothing") }
        self.values = values
    }

    subscript(name: SealingSteps.Name) -> SecretBytes? { values[name].map { SecretBytes($0) } }

    /// The first step, in the order of the work, whose value is another one.
    func firstDifference(from steps: SealingSteps, on side: SealingSide) -> Difference? {
        for step in steps.all {
            guard let expected = values[step.name], step.name != side.incomparable else { continue }
            guard step.value != SecretBytes(expected) else { continue }
            return Difference(step: step.name, yours: expected, ours: step.value.reveal(), drawn: drawn(steps, on: side, before: step.name))
        }
        return nil
    }

    /// The key that was drawn afresh here for want of an expected one, where it makes every step that follows another one.
    private func drawn(_ steps: SealingSteps, on side: SealingSide, before step: SealingSteps.Name) -> SealingSteps.Name? {
        let key = steps[.ephemeralPrivateKey] == nil ? SealingSteps.Name.aesKey : .ephemeralPrivateKey
        guard side == .sealing, values[key] == nil, ![.leafPublicKey, .nonce, .plaintext].contains(step) else { return nil }
        return key
    }

    /// Expected values that had nothing to stand beside, though this side could have had it.
    func unmet(by steps: SealingSteps, on side: SealingSide) -> [SealingSteps.Name] {
        SealingSteps.Name.allCases.filter { values[$0] != nil && steps[$0] == nil && $0 != side.incomparable }
    }

    struct Difference {
        let step: SealingSteps.Name
        /// As the file of `--expected` has it.
        let yours: [UInt8]
        /// As it came about here.
        let ours: [UInt8]
        /// The key that nobody gave, and that was drawn here.
        let drawn: SealingSteps.Name?

        /// What an engineer should look at.
        var reason: String {
            if let drawn {
                return "\(step.rawValue) cannot agree, for \(drawn.rawValue) was drawn here: give yours in the file of --expected too, "
                    + "or have what you sealed opened by open --steps"
            }
            let sizes = yours.count == ours.count ? "" : ": yours has \(yours.count) bytes, billfold's has \(ours.count)"
            return "\(step.rawValue) is the first value that differs\(sizes); \(step.hint)"
        }
    }
}

extension SealingSteps.Name {
    /// What is usually wrong where this is the first value that differs.
    fileprivate var hint: String {
        switch self {
        case .ephemeralPrivateKey: "it is a scalar of 32 bytes, leading zeros included"
        case .ephemeralPublicKey: "it is the point of the ephemeral key as 04, X and Y, without an ASN.1 frame"
        case .leafPublicKey: "the leaf is another one, or not in this form: a point for P-256, SubjectPublicKeyInfo for RSA"
        case .sharedSecret: "it is the X coordinate alone, 32 bytes, leading zeros included, and not hashed"
        case .otherInfo: "it is 0D, id-aes256-GCM, Apple and the ephemeral point, and not the hash of anything"
        case .kdfInput: "the counter 00000001 comes first, then the shared secret, then the other information"
        case .aesKey: "for ECC_V2 it is SHA-256 of the line above, once"
        case .nonce: "it is zero bytes, 12 for ECC_V2"
        case .plaintext: "the payload is other bytes: white space, order of members or encoding"
        case .ciphertext: "key, nonce and plaintext agree: look at the mode, and at additional data, of which there are none"
        case .tag: "the ciphertext agrees: the tag has 16 bytes, and there are no additional data"
        case .encryptedPassData: "it is the ciphertext and then the tag"
        case .wrappedKey: "it is the AES key under OAEP with SHA-256 for both hashes"
        }
    }
}

/// Who works: each side has one value that it cannot hold against another's.
enum SealingSide {
    /// RSA's padding is random: the wrapped key is another one each time.
    case sealing
    /// Nobody but who sealed knows the ephemeral private key.
    case opening

    var incomparable: SealingSteps.Name { self == .sealing ? .wrappedKey : .ephemeralPrivateKey }
}

extension CommandReply {
    /// The answer with each step, and with the first that differs from what was expected; then the exit code is 1.
    ///
    /// - Parameters:
    ///   - steps: What was recorded.
    ///   - expected: What they are held against.
    ///   - side: Who worked.
    ///   - refusal: Why it did not come to an end; nil where it did.
    func adding(
        _ steps: SealingSteps, against expected: ExpectedSteps?, on side: SealingSide, refusal: CommandFailure? = nil
    ) -> CommandReply {
        var object = object
        object["steps"] = .object(JSONObject(steps.all.map { .init($0.name.rawValue, .string(Hexadecimal.encode($0.value.reveal()))) }))
        if let expected, expected[side.incomparable] != nil { object["notCompared"] = .array([.string(side.incomparable.rawValue)]) }
        var code = exitCode
        if let difference = expected?.firstDifference(from: steps, on: side) {
            code = 1
            object["firstDifference"] = .texts([
                "step": difference.step.rawValue, "yours": Hexadecimal.encode(difference.yours),
                "billfolds": Hexadecimal.encode(difference.ours),
            ])
            object["error"] = .texts(["code": "step-differs", "reason": difference.reason])
        } else if let refusal {
            code = refusal.exitCode
            object["error"] = .texts(["code": refusal.code, "reason": refusal.reason])
        } else if let unmet = expected?.unmet(by: steps, on: side), !unmet.isEmpty {
            // Nothing may pass for compared that was not.
            code = 1
            let names = unmet.map(\.rawValue).joined(separator: ", ")
            object["error"] = .texts(["code": "step-absent", "reason": "this scheme has no such value on this side: \(names)"])
        }
        return CommandReply(object.members, exitCode: code)
    }
}
