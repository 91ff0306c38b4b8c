import ApplePay
import BillfoldDiagnosis
import Crypto
import Foundation
import PaymentCrypto

/// A card's applet in the simulated secure element: the device's own number, a counter, and one-time cryptograms.
///
/// Numbers are derived from the card's name, so that a restart keeps them; they pass the Luhn check and belong to nobody.
struct SecureElementCard {
    let id: String
    /// The scheme by the wallet's spelling, for example `ChinaUnionPay`.
    let network: String
    /// Each payment uses one value; a processor that sees one twice knows a copy.
    private(set) var counter: UInt16 = 0

    init(id: String, network: String) {
        self.id = id
        self.network = network
    }

    var isUnionPay: Bool { network.lowercased() == "chinaunionpay" }

    /// Sixteen digits behind the scheme's leading digits.
    var deviceAccountNumber: Secret<String> {
        let prefix =
            switch network.lowercased() {
            case "chinaunionpay": "6233"
            case "visa": "4784"
            case "mastercard": "5204"
            case "amex": "3782"
            case "jcb": "3528"
            case "discover": "6011"
            default: "9900"
            }
        let digest = SHA256.hash(data: Array("secure element \(network) \(id)".utf8))
        let body = prefix + digest.prefix(11).map { String($0 % 10) }.joined()
        return Secret(body + String(Self.checkDigit(body)))
    }

    /// What the card signs for one payment. `pin` is sealed for the issuer: the merchant sees hex it cannot open.
    ///
    /// - Parameter kind: Nil lets the scheme decide: EMV data for China UnionPay, 3-D Secure data for the others.
    mutating func authorize(
        pin: String?, kind: WalletKnobs.DataKind?, issuerKey: [UInt8], using generator: inout some RandomNumberGenerator
    ) throws -> PaymentPayload.PaymentData {
        counter &+= 1
        guard kind.map({ $0 == .emv }) ?? isUnionPay else {
            return .threeDSecure(
                .init(
                    onlinePaymentCryptogram: Secret(StrictBase64.encode(Self.bytes(20, &generator))),
                    eciIndicator: network.lowercased() == "visa" ? "7" : nil))
        }
        // The data objects of the one UnionPay sample that was seen: 9F26, 9F36, 81 and 83. [V]
        let objects: [(tag: [UInt8], value: [UInt8])] = [
            ([0x9F, 0x26], Self.bytes(8, &generator)), ([0x9F, 0x36], [UInt8(counter >> 8), UInt8(truncatingIfNeeded: counter)]),
            ([0x81], [0x02, 0x01]), ([0x83], Self.bytes(104, &generator)),
        ]
        return .emv(
            .init(
                emvData: Secret(StrictBase64.encode(EMVTags.encode(objects))),
                encryptedPINData: try pin.map { Secret(try Self.sealed($0, for: issuerKey, using: &generator)) }))
    }

    private static func sealed(_ pin: String, for key: [UInt8], using generator: inout some RandomNumberGenerator) throws -> String {
        let nonce = bytes(12, &generator)
        return Hexadecimal.encode(nonce + (try AESGCM(key: key).seal(Array(pin.utf8), nonce: nonce)))
    }

    /// ISO/IEC 7812-1 annex B.
    static func checkDigit(_ digits: String) -> Int {
        var sum = 0
        for (offset, character) in digits.reversed().enumerated() {
            let digit = character.wholeNumberValue ?? 0
            let doubled = digit * 2
            sum += offset.isMultiple(of: 2) ? (doubled > 9 ? doubled - 9 : doubled) : digit
        }
        return (10 - sum % 10) % 10
    }

    static func bytes(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
