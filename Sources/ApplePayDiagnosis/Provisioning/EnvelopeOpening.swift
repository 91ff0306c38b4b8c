import ApplePay
import BillfoldJSON
import Crypto
import Foundation
import PaymentCrypto

/// Tries the known wrong ways to seal a payload until one opens (provisioning.md#failures, rows 11 and 12).
struct EnvelopeOpening {
    /// How the key was derived, in words that name the mistake; nil for the right way.
    struct Derivation {
        var mistake: String?
        /// The hash's input.
        var input: (_ secret: [UInt8], _ point: [UInt8]) -> [UInt8]
    }

    enum TagPlace: String {
        case end
        case front = "in front of the ciphertext"
        case missing = "left out"
        case separate = "in a member of its own"
    }

    /// The cipher's nonce: twelve zero bytes are due.
    enum Nonce {
        case due
        case sixteenZeros
        /// Drawn, and sent before the ciphertext.
        case inFront(Int)
    }

    struct Found {
        var plaintext: [UInt8]
        var derivation: String?
        var nonce: Nonce
        var tag: TagPlace
    }

    let key: P256PrivateKey
    /// The point to agree with.
    let point: [UInt8]
    /// The bytes that were sent for it: a host that sends another form may derive from that form too.
    let sent: [UInt8]
    /// SHA-256 of merchant identifiers that the app names.
    let merchantHashes: [[UInt8]]
    /// A tag that came apart from the ciphertext.
    let separateTag: [UInt8]?

    func open(_ data: [UInt8]) -> Found? {
        guard let secret = try? key.sharedSecret(x963: point) else { return nil }
        for derivation in derivations {
            let aes = Array(SHA256.hash(data: derivation.input(secret, point)))
            for (nonce, count) in [(Nonce.due, 12), (.sixteenZeros, 16)] {
                guard let (plaintext, tag) = open(data, key: aes, nonce: [UInt8](repeating: 0, count: count)) else { continue }
                return Found(plaintext: plaintext, derivation: derivation.mistake, nonce: nonce, tag: tag)
            }
            for count in [12, 16] where data.count > count + 16 {
                guard let (plaintext, tag) = open(Array(data[count...]), key: aes, nonce: Array(data[..<count])) else { continue }
                return Found(plaintext: plaintext, derivation: derivation.mistake, nonce: .inFront(count), tag: tag)
            }
        }
        return nil
    }

    private func open(_ data: [UInt8], key: [UInt8], nonce: [UInt8]) -> ([UInt8], TagPlace)? {
        guard let cipher = try? AESGCM(key: key) else { return nil }
        if let opened = try? cipher.open(data, nonce: nonce) { return (opened, .end) }
        if data.count > 16, let opened = try? cipher.open(Array(data[16...] + data[..<16]), nonce: nonce) { return (opened, .front) }
        if let separateTag, let opened = try? cipher.open(data + separateTag, nonce: nonce) { return (opened, .separate) }
        // Counter mode is its own inverse: sealing the ciphertext again shows what it holds.
        if let again = try? cipher.seal(data, nonce: nonce).dropLast(16), (try? ApplePayJSON.readObject(Array(again))) != nil {
            return (Array(again), .missing)
        }
        return nil
    }

    private var derivations: [Derivation] {
        let counter: [UInt8] = [0, 0, 0, 1]
        let name = Array("id-aes256-GCM".utf8)
        let apple = Array("Apple".utf8)
        let sent = sent
        var all = [Derivation(mistake: nil) { counter + $0 + [0x0D] + name + apple + $1 }]
        func add(_ mistake: String?, _ input: @escaping ([UInt8], [UInt8]) -> [UInt8]) {
            all.append(Derivation(mistake: mistake, input: input))
        }
        if sent != point { add(nil) { secret, _ in counter + secret + [0x0D] + name + apple + sent } }
        // A big integer drops its leading zeros, in one agreement of 256.
        add("Z lost its leading zeros") { counter + Array($0.drop { $0 == 0 }) + [0x0D] + name + apple + $1 }
        add("every part has a length of four bytes in front") { secret, point in
            counter + secret + [name, apple, point].flatMap { [0, 0, 0, UInt8($0.count)] + $0 }
        }
        add("the counter counts from 0") { [0, 0, 0, 0] + $0 + [0x0D] + name + apple + $1 }
        add("the length byte 0d is missing") { counter + $0 + name + apple + $1 }
        add("the counter is missing") { $0 + [0x0D] + name + apple + $1 }
        add("the counter stands after Z") { $0 + counter + [0x0D] + name + apple + $1 }
        add("PartyUInfo is missing") { counter + $0 + [0x0D] + name + $1 }
        add("PartyVInfo is missing") { secret, _ in counter + secret + [0x0D] + name + apple }
        add("PartyVInfo is the ephemeral key's SHA-256") { counter + $0 + [0x0D] + name + apple + Array(SHA256.hash(data: $1)) }
        add("PartyVInfo is the ephemeral key as SubjectPublicKeyInfo") {
            counter + $0 + [0x0D] + name + apple + EphemeralKeyForm.subjectPublicKeyInfo($1)
        }
        let leafHash = key.publicKey.sha256
        add("PartyVInfo is the leaf's public key hash") { secret, _ in counter + secret + [0x0D] + name + apple + leafHash }
        for hash in merchantHashes {
            add("PartyVInfo is the merchant identifier's SHA-256") { secret, _ in counter + secret + [0x0D] + name + apple + hash }
        }
        return all
    }
}
