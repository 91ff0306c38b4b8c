import BillfoldSandbox
import BillfoldTrace
import Foundation
import HTTPTypes
import PassKitSimulator
import PaymentCrypto
import Testing

@Suite struct ProvisioningJourneyTests {
    @Test(arguments: ["visa", "mastercard", "unionPay"]) func aTrustedAccountsCardIsActiveAtOnce(scheme: String) async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let pass = try await harness.provision(scheme, activation: scheme == "unionPay" ? .none : .right)
            #expect(pass.activationState == .activated)
            #expect(pass.primaryAccountNumberSuffix == String(try await harness.card(scheme).number.suffix(4)))
            let decision = try #require(harness.issuer.with { $0.decisions.last })
            let recommendation = try #require(decision["recommendation"] as? [String: Any])
            #expect(recommendation["outcome"] as? String == "APPROVED" && recommendation["reasons"] as? [String] == [])
            #expect(((decision["activation"] as? [String: Any])?["valid"] as? Bool) == (scheme != "unionPay"))
            let account = try HybridEncryption.open(
                StrictBase64.decode(try #require(decision["encryptedAccount"] as? String)), with: harness.issuer.decisionKey,
                info: "billfold network account")
            #expect(String(decoding: account, as: UTF8.self).contains(try await harness.card(scheme).number))
            #expect(try await harness.device.passes(on: ProvisioningHarness.device()) == [pass])
            let number = try await harness.card(scheme).number
            #expect(!"\(harness.sink.entries)".contains(number))
        }
    }

    @Test func aMovedAccountsCardIsYellowUntilTheCodeIsEntered() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let identity = ProvisioningHarness.device(.phone, .moved)
            let pass = try await harness.provision(on: identity)
            #expect(pass.activationState == .requiresActivation)
            let recommendation = try #require(harness.issuer.with { $0.decisions.last }?["recommendation"] as? [String: Any])
            #expect(recommendation["reasons"] as? [String] == ["0D", "0E"] && recommendation["accountScore"] as? Int == 3)
            await #expect(throws: BrokerError(status: 403, reason: "VERIFICATION_CODE_MISSING")) {
                try await harness.device.enterCode("123456", card: pass.cardID, on: identity)
            }
            try await harness.device.requestCode(card: pass.cardID, method: "c-1-text", on: identity)
            let code = try #require(harness.issuer.with { $0.codes.last })
            let wrong = code == "000000" ? "000001" : "000000"
            await #expect(throws: BrokerError(status: 403, reason: "VERIFICATION_CODE_FAILED")) {
                try await harness.device.enterCode(wrong, card: pass.cardID, on: identity)
            }
            #expect(try await harness.device.enterCode(code, card: pass.cardID, on: identity) == .activated)
            #expect(!"\(harness.sink.entries)".contains(code))
        }
    }

    @Test func threeWrongCodesBlockTheMethodAndAnOldCodeIsOver() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let identity = ProvisioningHarness.device(.phone, .moved)
            let pass = try await harness.provision(on: identity)
            try await harness.device.requestCode(card: pass.cardID, method: "c-1-text", on: identity)
            let code = try #require(harness.issuer.with { $0.codes.last })
            let wrong = code == "000000" ? "000001" : "000000"
            for reason in ["FAILED", "FAILED", "RETRIES_EXCEEDED"] {
                await #expect(throws: BrokerError(status: 403, reason: "VERIFICATION_CODE_\(reason)")) {
                    try await harness.device.enterCode(wrong, card: pass.cardID, on: identity)
                }
            }
            await #expect(throws: BrokerError(status: 403, reason: "VERIFICATION_CODE_RETRIES_EXCEEDED")) {
                try await harness.device.enterCode(code, card: pass.cardID, on: identity)
            }
            await #expect(throws: BrokerError(status: 403, reason: "VERIFICATION_CODE_RETRIES_EXCEEDED")) {
                try await harness.device.requestCode(card: pass.cardID, method: "c-1-text", on: identity)
            }
            // Another way is still open, until its code is too old.
            try await harness.device.requestCode(card: pass.cardID, method: "c-1-email", on: identity)
            harness.clock.advance(.seconds(601))
            let late = try #require(harness.issuer.with { $0.codes.last })
            await #expect(throws: BrokerError(status: 403, reason: "VERIFICATION_CODE_EXPIRED")) {
                try await harness.device.enterCode(late, card: pass.cardID, on: identity)
            }
        }
    }

    @Test func aRiskyAccountsCardWaitsForTheBankAndAFreshAccountsIsDeclined() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let risky = ProvisioningHarness.device(.phone, .risky)
            let pass = try await harness.provision(on: risky)
            #expect(pass.activationState == .requiresActivation && pass.verificationMethods ?? [] == [])
            let fresh = ProvisioningHarness.device(.phone, .fresh)
            await #expect(throws: BrokerError(status: 500, code: 40_456, reason: "Error")) {
                _ = try await harness.provision("mastercard", on: fresh)
            }
            let books = try await harness.books()
            #expect(books.count == 1 && books.first?["state"] as? String == "inactive")
            let path = "/card-network/issuer/v1/tokens/\(pass.serialNumber)/actions"
            let approved = try await harness.bank.send(.post, path, #"{"requestId":"r-1","action":"activate","reason":"Z"}"#)
            #expect(approved.json["state"] as? String == "active")
            #expect(try await harness.device.passes(on: risky).first?.activationState == .activated)
        }
    }

    @Test(arguments: [IssuerStub.ActivationData.forAnotherNonce, .damaged])
    func activationDataThatDoNotFitMakeTheCardYellow(kind: IssuerStub.ActivationData) async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let pass = try await harness.provision(activation: kind)
            #expect(pass.activationState == .requiresActivation)
            let activation = try #require(harness.issuer.with { $0.decisions.last }?["activation"] as? [String: Any])
            #expect(activation["present"] as? Bool == true && activation["valid"] as? Bool == false)
            #expect(activation["problem"] as? String == "AI")
        }
    }

    @Test func aNonceIsGoodOnceAndForItsOwnSession() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let (phone, watch) = (ProvisioningHarness.device(), ProvisioningHarness.device(.watch))
            let card = try await harness.card("visa")
            let first = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
            let submission = try await harness.issuer.submission(card, first, at: harness.now)
            let invalid = BrokerError(status: 403, code: 40_001, reason: "Invalid Card")
            await #expect(throws: invalid) { try await harness.device.add(submission, to: watch) }
            let accepted = try await harness.device.add(submission, to: phone)
            // The same request again is a repetition; another with the same nonce is a replay.
            #expect(try await harness.device.add(submission, to: phone) == accepted)
            let replay = try await harness.issuer.submission(card, first, at: harness.now)
            await #expect(throws: invalid) { try await harness.device.add(replay, to: phone) }
            let second = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
            let mixed = try await harness.issuer.submission(card, second, at: harness.now, nonce: Array(first.nonce))
            await #expect(throws: invalid) { try await harness.device.add(mixed, to: phone) }
            let old = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
            harness.clock.advance(.seconds(901))
            let late = try await harness.issuer.submission(card, old, at: harness.now)
            await #expect(throws: invalid) { try await harness.device.add(late, to: phone) }
            let told = harness.sink.entries.compactMap(\.problem)
            for code in ["challenge-mismatch", "nonce-used", "nonce-expired"] { #expect(told.contains { $0.hasPrefix(code) }, "\(code)") }
        }
    }

    @Test(arguments: ["visa", "mastercard", "unionPay"], ["none", "request-lost", "reply-lost"])
    func theSameRequestAgainIsGivenTheSameAnswer(scheme: String, fault: String) async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            let card = try await harness.card(scheme)
            let challenge = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
            let submission = try await harness.issuer.submission(
                card, challenge, activation: scheme == "unionPay" ? .none : .right, at: harness.now)
            if fault != "none" {
                let path = "/card-network/control/faults/provision"
                #expect(try await harness.client.send(.put, path, #"{"fault":"\#(fault)"}"#).status == 204)
                await #expect(throws: BrokerError(status: 500)) { try await harness.device.add(submission, to: phone) }
            }
            let accepted = try await harness.device.add(submission, to: phone)
            harness.clock.advance(.seconds(3_600))
            #expect(try await harness.device.add(submission, to: phone) == accepted)
            let other = try await harness.issuer.submission(card, challenge, activation: .none, at: harness.now)
            await #expect(throws: BrokerError(status: 403, code: 40_001, reason: "Invalid Card")) {
                try await harness.device.add(other, to: phone)
            }
            #expect(try await harness.device.add(submission, to: phone) == accepted)
            let history = try await harness.client.send(.get, "/broker/control/devices/\(phone.secureElementID)").json
            #expect((history["attempts"] as? [Any])?.count == 1)
        }
    }

    @Test func requestsAtOnceAreOneAttempt() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            let challenge = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
            let submission = try await harness.issuer.submission(try await harness.card("mastercard"), challenge, at: harness.now)
            let answers = try await withThrowingTaskGroup(of: AcceptedCard.self) { group in
                for _ in 0..<3 { group.addTask { try await harness.device.add(submission, to: phone) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1.cardID) }
            }
            #expect(answers.count == 1)
            let history = try await harness.client.send(.get, "/broker/control/devices/\(phone.secureElementID)").json
            #expect((history["attempts"] as? [Any])?.count == 1)
        }
    }

    /// A card that the network refused stays refused when the same request comes again, though it would be taken now.
    @Test func theSameRequestAgainIsRefusedAgain() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            let path = "/card-network/control/allow-list"
            #expect(try await harness.client.send(.put, path, #"{"testPhase":true,"cards":[]}"#).status == 204)
            let challenge = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
            let submission = try await harness.issuer.submission(try await harness.card("mastercard"), challenge, at: harness.now)
            let invalid = BrokerError(status: 403, code: 40_001, reason: "Invalid Card")
            await #expect(throws: invalid) { try await harness.device.add(submission, to: phone) }
            #expect(try await harness.client.send(.put, path, #"{"testPhase":false,"cards":[]}"#).status == 204)
            await #expect(throws: invalid) { try await harness.device.add(submission, to: phone) }
            #expect(harness.sink.entries.compactMap(\.problem).filter { $0.hasPrefix("not-on-allow-list") }.count >= 2)
        }
    }

    @Test func theDeviceHearsLittleAndTheTraceEverything() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            let card = try await harness.card("mastercard")
            let page = BrokerError(status: 500)
            let invalid = BrokerError(status: 403, code: 40_001, reason: "Invalid Card")
            var generator = SystemRandomNumberGenerator()
            let stranger = try P256PrivateKey(using: &generator).publicKey
            func submission(_ change: (inout CardSubmission) -> Void = { _ in }, leaf: PublicKey? = nil) async throws -> CardSubmission {
                let challenge = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
                var made = try await harness.issuer.submission(card, challenge, at: harness.now, sealedFor: leaf)
                change(&made)
                return made
            }
            let cases: [(String, BrokerError, CardSubmission)] = [
                ("application-not-allowed", page, try await submission { $0.app.applicationIdentifier = "TEAM123456.example.other" }),
                ("adam-id-differs", page, try await submission { $0.app.adamID = 7 }),
                ("configuration-incomplete", page, try await submission { $0.paymentNetwork = nil }),
                ("leaf-differs", page, try await submission { $0.publicKeyHash[0] ^= 1 }),
                ("decryption-refused", page, try await submission(leaf: stranger)),
                ("ephemeral-public-key-form", page, try await submission { $0.ephemeralPublicKey?.removeLast() }),
                ("suffix-differs", invalid, try await submission { $0.primaryAccountSuffix = "0000" }),
                ("bin-not-enabled", invalid, try await submission { $0.paymentNetwork = PKPaymentNetwork(rawValue: "Visa") }),
            ]
            for (code, error, submission) in cases {
                await #expect(throws: error, "\(code)") { try await harness.device.add(submission, to: phone) }
                #expect(harness.sink.entries.contains { $0.problem?.hasPrefix(code) == true }, "\(code)")
            }
        }
    }

    @Test func aTokenIsSuspendedByEachAndResumedByEachForItself() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            let pass = try await harness.provision()
            let path = "/card-network/issuer/v1/tokens/\(pass.serialNumber)/actions"
            func act(_ request: String, _ action: String) async throws -> (Int, String, [String], Int) {
                let answer = try await harness.bank.send(
                    .post, path, #"{"requestId":"\#(request)","action":"\#(action)","reason":"L"}"#)
                return (
                    answer.status, answer.json["state"] as? String ?? "", answer.json["suspendedBy"] as? [String] ?? [],
                    answer.json["sequence"] as? Int ?? 0
                )
            }
            #expect(try await act("a", "suspend") == (200, "suspended", ["ISSUER"], 2))
            #expect(try await act("a", "suspend") == (200, "suspended", ["ISSUER"], 2))
            #expect(try await act("a", "resume").0 == 409)
            try await harness.device.setLost(true, phone)
            #expect(try await act("b", "resume") == (200, "suspended", ["TOKEN_REQUESTOR"], 4))
            #expect(try await harness.device.passes(on: phone).first?.activationState == .suspended)
            try await harness.device.setLost(false, phone)
            #expect(try await harness.device.passes(on: phone).first?.activationState == .activated)
            try await harness.device.remove(card: pass.cardID, from: phone)
            #expect(try await harness.device.passes(on: phone).isEmpty)
            #expect(try await act("c", "suspend").0 == 409)
            #expect(try await act("d", "delete") == (200, "deleted", [], 6))
            while try await harness.network.events.deliverDue() > 0 {}
            let events = harness.issuer.with { $0.events }
            let kinds = events.sorted { $0["sequence"] as? Int ?? 0 < $1["sequence"] as? Int ?? 0 }.compactMap { $0["kind"] as? String }
            #expect(kinds == ["created", "suspended", "suspended", "resumed", "resumed", "deleted"])
        }
    }

    @Test func aReplacementKeepsTheToken() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let pass = try await harness.provision()
            #expect(try await harness.client.send(.post, "/processor/control/cards/visa-1/replacement").status == 200)
            let card = try await harness.card("visa")
            let key = try #require(try await harness.client.send(.get, "/card-network/issuer/v1/keys").json["accountKey"] as? String)
            func body() throws -> String {
                let account = #"{"primaryAccountNumber":"\#(card.number)","expiration":"\#(card.expiration)"}"#
                let sealed = try HybridEncryption.seal(
                    Array(account.utf8), to: PublicKey(subjectPublicKeyInfo: StrictBase64.decode(key)), info: "billfold network account")
                return #"{"requestId":"r-9","encryptedAccount":"\#(StrictBase64.encode(sealed))"}"#
            }
            let path = "/card-network/issuer/v1/accounts/\(pass.primaryAccountIdentifier)/replacement"
            for _ in 0..<2 {
                let answer = try await harness.bank.send(.post, path, body())
                #expect(answer.status == 200 && (answer.json["tokens"] as? [[String: Any]])?.first?["sequence"] as? Int == 2)
            }
            let now = try #require(try await harness.device.passes(on: ProvisioningHarness.device()).first)
            #expect(now.serialNumber == pass.serialNumber && now.deviceAccountNumberSuffix == pass.deviceAccountNumberSuffix)
            #expect(now.primaryAccountNumberSuffix == String(card.number.suffix(4)) && now.activationState == .activated)
        }
    }

    @Test func eventsAreSentAgainUntilTheBankTakesThem() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            #expect(try await harness.client.send(.put, "/card-network/control/faults/events", #"{"fault":"reply-lost"}"#).status == 204)
            _ = try await harness.provision()
            try await harness.network.events.deliverDue()
            #expect(harness.issuer.with { $0.events.count } == 1)
            harness.issuer.with { $0.isDown = true }
            harness.clock.advance(.seconds(2))
            #expect(try await harness.network.events.deliverDue() == 1)
            harness.issuer.with { $0.isDown = false }
            #expect(try await harness.network.events.deliverDue() == 0)
            harness.clock.advance(.seconds(3))
            #expect(try await harness.network.events.deliverDue() == 1)
            harness.clock.advance(.seconds(1_000))
            #expect(try await harness.network.events.deliverDue() == 0)
            let events = harness.issuer.with { $0.events }
            #expect(events.count == 2 && Set(events.compactMap { $0["eventId"] as? String }).count == 1)
        }
    }

    @Test func aBankThatIsDownDecidesNothingAndCanBeAskedAgain() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            let challenge = try await harness.device.challenge(for: phone, scheme: .ECC_V2)
            let submission = try await harness.issuer.submission(try await harness.card("visa"), challenge, at: harness.now)
            let card = try await harness.device.add(submission, to: phone).cardID
            harness.issuer.with { $0.isDown = true }
            await #expect(throws: BrokerError(status: 500, code: 40_456, reason: "Error")) {
                try await harness.device.enable(card: card, on: phone)
            }
            #expect(try await harness.books().isEmpty)
            harness.issuer.with { $0.isDown = false }
            let pass = try await harness.device.enable(card: card, on: phone)
            #expect(pass.activationState == .activated)
            #expect(try await harness.device.enable(card: card, on: phone) == pass)
            #expect(try await harness.books().count == 1)
        }
    }

    @Test func inTheTestPhaseTheAllowListDecides() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            let path = "/card-network/control/allow-list"
            #expect(try await harness.client.send(.put, path, #"{"testPhase":true,"cards":[]}"#).status == 204)
            await #expect(throws: BrokerError(status: 403, code: 40_001, reason: "Invalid Card")) { _ = try await harness.provision() }
            let suffix = try await harness.card("visa").number.suffix(4)
            let entry = #"{"network":"visa","suffix":"\#(suffix)","secureElement":"\#(phone.secureElementID)"}"#
            #expect(try await harness.client.send(.put, path, #"{"testPhase":true,"cards":[\#(entry)]}"#).status == 204)
            #expect(try await harness.provision().activationState == .activated)
        }
    }

    @Test func aFourthAttemptWithinThreeDaysAsksForVerification() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let phone = ProvisioningHarness.device()
            for _ in 0..<3 {
                let pass = try await harness.provision()
                #expect(pass.activationState == .activated)
                try await harness.device.remove(card: pass.cardID, from: phone)
            }
            #expect(try await harness.provision().activationState == .requiresActivation)
            let recommendation = try #require(harness.issuer.with { $0.decisions.last }?["recommendation"] as? [String: Any])
            #expect(recommendation["reasons"] as? [String] == ["09"])
        }
    }

    @Test func activationDataDoNotActivateWhatAPersonDecidesOn() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let risky = ProvisioningHarness.device(.phone, .risky)
            let pass = try await harness.provision("mastercard", on: risky)
            #expect(pass.activationState == .requiresActivation)
            let challenge = try await harness.device.challenge(for: risky, scheme: .ECC_V2)
            let data = try #require(
                try await harness.issuer.submission(try await harness.card("mastercard"), challenge, at: harness.now).activationData)
            let path = "/broker/v4/devices/\(risky.secureElementID)/cards/\(pass.cardID)/activation"
            let refused = try await harness.client.send(.post, path, #"{"activationData":"\#(data.base64EncodedString())"}"#)
            #expect(refused.status == 403 && refused.json["message"] as? String == "review-required", "\(refused.json)")
            #expect(try await harness.device.passes(on: risky).first?.activationState == .requiresActivation)
            // Where the customer may prove it, they do.
            let moved = ProvisioningHarness.device(.phone, .moved)
            let other = try await harness.provision("mastercard", on: moved)
            let answer = try await harness.client.send(
                .post, "/broker/v4/devices/\(moved.secureElementID)/cards/\(other.cardID)/activation",
                #"{"activationData":"\#(data.base64EncodedString())"}"#)
            #expect(answer.status == 200, "\(answer.json)")
        }
    }

    @Test(arguments: ["refuses", "silent"]) func aCodeInHandStaysGoodUntilTheBankHasTakenAnother(how: String) async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let identity = ProvisioningHarness.device(.phone, .moved)
            let pass = try await harness.provision(on: identity)
            try await harness.device.requestCode(card: pass.cardID, method: "c-1-text", on: identity)
            let code = try #require(harness.issuer.with { $0.codes.last })
            harness.issuer.with { $0.codeRefusal = how == "refuses" ? (409, "code-resend-limit") : (503, "down") }
            await #expect(throws: BrokerError.self) {
                try await harness.device.requestCode(card: pass.cardID, method: "c-1-email", on: identity)
            }
            harness.issuer.with { $0.codeRefusal = nil }
            #expect(try await harness.device.enterCode(code, card: pass.cardID, on: identity) == .activated)
        }
    }

    @Test func wrongCodesAreCountedForTheAccountWhateverTheDevice() async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            func guesses(_ kind: DeviceKind, _ method: String) async throws -> [String] {
                let identity = ProvisioningHarness.device(kind, .moved)
                let held = try await harness.device.passes(on: identity).first
                let pass = if let held { held } else { try await harness.provision(on: identity) }
                try await harness.device.requestCode(card: pass.cardID, method: method, on: identity)
                let wrong = harness.issuer.with { $0.codes.last } == "000000" ? "000001" : "000000"
                var heard: [String] = []
                for _ in 0..<3 {
                    do { _ = try await harness.device.enterCode(wrong, card: pass.cardID, on: identity) } catch let error as BrokerError {
                        heard.append(error.reason)
                    }
                }
                return heard
            }
            let refused = "VERIFICATION_CODE_RETRIES_EXCEEDED"
            for (kind, method) in [(DeviceKind.phone, "c-1-text"), (.phone, "c-1-email"), (.watch, "c-1-text")] {
                #expect(try await guesses(kind, method).last == refused)
            }
            let exhausted = BrokerError(status: 403, reason: refused)
            await #expect(throws: exhausted) { _ = try await guesses(.watch, "c-1-email") }
            await #expect(throws: exhausted) { _ = try await guesses(.tablet, "c-1-text") }
            harness.clock.advance(.seconds(86_401))
            #expect(try await guesses(.tablet, "c-1-text").first == "VERIFICATION_CODE_FAILED")
        }
    }

    @Test(arguments: [("request-lost", 0), ("reply-lost", 1), ("request-refused", 0), ("request-doubled", 2)])
    func aFaultBefallsTheQuestionToTheBank(fault: String, heard: Int) async throws {
        try await ProvisioningHarness.run { (harness) async throws in
            let path = "/card-network/control/faults/decision"
            #expect(try await harness.client.send(.put, path, #"{"fault":"\#(fault)"}"#).status == 204)
            if fault == "request-doubled" {
                #expect(try await harness.provision().activationState == .activated)
            } else {
                await #expect(throws: BrokerError(status: 500, code: 40_456, reason: "Error")) { _ = try await harness.provision() }
            }
            #expect(harness.issuer.with { $0.decisions.count } == heard)
        }
    }
}
