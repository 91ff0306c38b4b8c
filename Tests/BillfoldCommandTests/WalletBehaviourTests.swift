import ApplePay
import ApplePayForging
import BillfoldSandbox
import Foundation
import PassKitSimulator
import Testing

@testable import billfold

/// What a person can have the device do, against the real merchant's server, over HTTP.
@Suite(.serialized) struct WalletBehaviourTests {
    /// The reason that the merchant notes for each token that it refuses, and tells nobody.
    private static let reasons = [
        "replayed": "application-data-mismatch", "stale": "token-stale", "future": "token-from-future",
        "other-order": "application-data-mismatch", "no-order": "application-data-missing", "lower-amount": "amount-mismatch",
        "other-currency": "currency-mismatch", "foreign-root": "bad-certificate-signature", "rogue-root": "bad-certificate-signature",
        "unmarked-leaf": "leaf-marker-missing",
        "expired-leaf": "certificate-expired", "no-signature": "malformed-token", "foreign-signature": "signature-mismatch",
        "flipped-signature": "signature-mismatch", "other-content": "embedded-content", "substituted-key": "message-digest-mismatch",
        "flipped-data": "message-digest-mismatch", "flipped-tag": "message-digest-mismatch", "flipped-order": "message-digest-mismatch",
        "other-key": "decryption-refused", "unknown-key": "unknown-public-key-hash", "other-merchant": "unknown-public-key-hash",
        "other-identifier": "decryption-refused", "weak-wrapping": "decryption-refused", "empty": "empty-payment-data",
    ]

    @Test func aMerchantTakesWhatIsGenuineAndRefusesTheRest() async throws {
        try await ServedSandbox.run { served in
            for behaviour in WalletBehaviour.all {
                try await served.tell(behaviour.knobs)
                let (before, noted) = (try await served.booked(), try await served.refusals())
                let result = try await served.buy()
                let outcome = result.screen.outcome
                if behaviour.isAccepted {
                    #expect(outcome?.kind == "succeeded", "\(behaviour.name): \(String(describing: outcome))")
                    #expect(try await served.booked() == before + 1, "\(behaviour.name)")
                } else {
                    // Card data of the wrong kind comes in a good token; everything else is refused alike.
                    let code = behaviour.name == "three-d-secure" ? "card-not-supported" : "token-refused"
                    #expect(outcome?.kind == "failed" && outcome?.code == code, "\(behaviour.name): \(String(describing: outcome))")
                    #expect(result.screen.sheet?.phase == .failed, "\(behaviour.name)")
                    #expect(try await served.booked() == before, "\(behaviour.name)")
                    let added = try await served.refusals().filter { noted[$0.key] != $0.value }.keys.sorted()
                    #expect(added == Self.reasons[behaviour.name].map { [$0] } ?? [], "\(behaviour.name)")
                }
            }
        }
    }

    @Test func theSettingIsReadBackAndWhatItDoesNotKnowIsRefused() async throws {
        try await ServedSandbox.run { served in
            var knobs = WalletKnobs()
            knobs.tokenFlaws = [.flippedTag]
            knobs.signingTimeOffsetSeconds = -5
            try await served.tell(knobs)
            let url = "\(served.sandbox)/phone/wallet"
            let kept = try await TourClient.get(url).read(WalletKnobs.self)
            #expect(kept == knobs)
            for body in [
                ["flaws": "none"], ["version": "EC_v2"], ["applicationData": "both"], ["currencyCode": "CNY"], ["foreignRoot": "yes"],
            ] { #expect(try await TourClient.put(url, body).status == 400, "\(body)") }
            #expect(try await TourClient.put(url, ["tokenFlaws": ["oaep-sha1", "trimmed-secret"]]).status == 400)
            let unchanged = try await TourClient.get(url).read(WalletKnobs.self)
            #expect(unchanged == knobs)
        }
    }

    @Test func tokensForTheOldAndTheNewKeyAreTakenSideBySide() async throws {
        struct Certificates: Decodable {
            struct Certificate: Decodable {
                var serial: String
                var key: String
                var active: Bool
            }
            var certificates: [Certificate]
        }
        try await ServedSandbox.run { served in
            let office = "\(served.sandbox)/certificates"
            func pay(_ version: PaymentToken.Version, sourceLocation: SourceLocation = #_sourceLocation) async throws {
                var knobs = WalletKnobs()
                knobs.version = version
                try await served.tell(knobs)
                #expect(try await served.buy().screen.outcome?.kind == "succeeded", sourceLocation: sourceLocation)
            }
            for (round, (key, version)) in [("EC", PaymentToken.Version.ecV1), ("RSA", .rsaV1)].enumerated() {
                let issued = try await TourClient.get(office).read(Certificates.self).certificates
                let old = try #require(issued.first { $0.key == key && $0.active })
                let new = try await TourClient.post("\(office)/rotations", ["key": key]).read(Certificates.Certificate.self)
                #expect(!new.active)
                try await pay(version)
                try await served.keysExchanged(times: round + 1)
                // Back and forth: neither key's turn ends the other's.
                for serial in [new.serial, old.serial, new.serial] {
                    #expect(try await TourClient.post("\(office)/\(serial)/activation", [String: String]()).status == 200)
                    try await pay(version)
                }
            }
            #expect(try await served.refusals().isEmpty)
            #expect(try await TourClient.post("\(office)/rotations", ["key": "DSA"]).status == 422)
        }
    }
}
