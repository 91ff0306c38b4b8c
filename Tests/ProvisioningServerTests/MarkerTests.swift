import ApplePay
import BillfoldStorage
import BillfoldTestSupport
import BillfoldTrace
import Foundation
import HTTPTypes
import PaymentCrypto
import PaymentCryptoOpenSSL
import Synchronization
import Testing

@testable import ProvisioningServer

/// Searches what a host leaves behind for what it must not leave.
@Suite struct MarkerTests {
    /// A value in every form in which it might have got somewhere.
    static func forms(_ value: [UInt8]) -> [String: [UInt8]] {
        var forms: [String: [UInt8]] = [
            "plain": value, "hex": Array(Hexadecimal.encode(value).utf8), "HEX": Array(Hexadecimal.encode(value, uppercase: true).utf8),
            "UTF-16LE": value.flatMap { [$0, 0] }, "UTF-16BE": value.flatMap { [0, $0] },
        ]
        // Inside a longer text base64 has three alignments; the letters at the ends depend on the neighbours.
        for shift in 0..<3 {
            let text = Array(Data([UInt8](repeating: 0x41, count: shift) + value).base64EncodedString().utf8)
            forms["base64+\(shift)"] = Array(
                text.dropFirst(shift == 0 ? 0 : 4).prefix((value.count + shift) / 3 * 4 - (shift == 0 ? 0 : 4)))
        }
        return forms
    }

    static func contains(_ bytes: Data, _ value: [UInt8]) -> Bool { value.count > 3 && bytes.range(of: Data(value)) != nil }

    @Test func nothingSecretIsLeftAnywhere() async throws {
        let wallet = try Wallet.shared.get()
        let codes = Mutex<[[UInt8]]>([])
        try await Bank.open(wallet: wallet) { bank in
            var bodies = ""
            let token = try await bank.logIn()
            let two = try await bank.logIn("c-2")
            let zoneKey = try OpenSSLTripleDESKey(Wallet.zoneKey)
            for number in 0..<6 {
                let card = number.isMultiple(of: 2) ? "card-visa" : "card-mastercard"
                let answer = try await bank.send(
                    .post, "/provisioning/v1/cards/\(card)/pass-data", wallet.body(try wallet.challenge(900 + UInt64(number))),
                    bearer: token)
                #expect(answer.status == 200)
                if number.isMultiple(of: 2) {
                    let text = String(decoding: try StrictBase64.decode(try #require(answer["activationData"])), as: UTF8.self)
                    let block = try await VisaActivationBlock(opening: VisaWireText(text), key: zoneKey)
                    codes.withLock { $0.append(block.authenticationCode.text.reveal()) }
                }
            }
            let refused = [
                (token, "card-visa", wallet.body(try wallet.challenge(950), certificates: [])),
                (two, "card-closed", wallet.body(try wallet.challenge(951))),
                (two, "card-visa", wallet.body(try wallet.challenge(952))),
                (token, "card-visa", "{\"primaryAccountNumber\":\"\(Bank.visaNumber)\"}"),
            ]
            for (bearer, card, body) in refused {
                let answer = try await bank.send(.post, "/provisioning/v1/cards/\(card)/pass-data", body, bearer: bearer)
                #expect(answer.status >= 400)
                bodies += answer.body
            }
            for path in ["cards", "cards/card-visa/eligibility", "cards/card-visa/configuration"] {
                bodies += try await bank.send(.get, "/provisioning/v1/\(path)", bearer: token).body
            }
            bank.cards.change("card-visa") { $0.number = Bank.visaNumberAfterwards }
            _ = try await bank.logIn()
            let files = try await bank.store.database.read { tx in
                try tx.query("SELECT file FROM pragma_database_list").map { try $0.text(0) }
            }
            var places: [String: Data] = [
                "trace": try JSONEncoder().encode(bank.recorder.entries), "log": Data(bank.recorder.log.utf8), "answers": Data(bodies.utf8),
            ]
            for file in files {
                for suffix in ["", "-wal"] {
                    places["\(suffix.isEmpty ? "database" : "WAL")"] = FileManager.default.contents(atPath: file + suffix)
                }
            }
            // The search finds what is there: in the pages that were written and in what was said.
            #expect(places.contains { $0.key == "WAL" || $0.key == "database" ? Self.contains($0.value, Array("MEI LIN".utf8)) : false })
            #expect(Self.contains(try #require(places["trace"]), Array("pass data made".utf8)))
            var secrets: [String: [UInt8]] = [
                "zone key": Wallet.zoneKey, "session token": Array(token.utf8), "API key": Array(Bank.apiKey.utf8),
                "RSA key": Array(PrivateKey.rsa(wallet.tavKey).pkcs8.suffix(200).prefix(64)),
            ]
            let numbers = [
                Bank.visaNumber, Bank.visaNumberAfterwards, Bank.mastercardNumber, Bank.unionPayNumber, Bank.blockedNumber,
                Bank.closedNumber,
            ]
            for number in numbers { secrets["number \(number)"] = Array(number.utf8) }
            for (index, code) in codes.withLock({ $0 }).enumerated() { secrets["code \(index)"] = code }
            for (name, secret) in secrets {
                for (form, value) in Self.forms(secret) {
                    for (place, bytes) in places where !(form.hasPrefix("base64") && value.count < 8) {
                        #expect(!Self.contains(bytes, value), "\(name) as \(form) in the \(place)")
                    }
                }
            }
        }
    }
}
