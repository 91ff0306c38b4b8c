import Foundation
import Synchronization
import Testing

@testable import ApplePayApp
@testable import PassKitSimulator

/// Wallet's own list of a bank's cards: what is listed, what is not and why, and the way to the pass.
@MainActor @Suite struct WalletExtensionTests {
    private static let bundle = SignedApp(applicationIdentifier: "TEAM.example.bank.wallet", adamID: 1, mayAddPasses: true)
    private static let screen = SignedApp(applicationIdentifier: "TEAM.example.bank.login", adamID: 1, mayAddPasses: true)
    /// Passes whose metadata names the app and its extension.
    private static let applications = ["TEAM.example.bank", "TEAM.example.bank.wallet"]

    private struct Backend: CardBackend {
        func enroll(card: String, certificates: [String], nonce: String, nonceSignature: String) async throws -> [String: String] {
            ["encryptedPassData": "AQ==", "activationData": "Ag==", "ephemeralPublicKey": "BA=="]
        }
    }

    private static func configuration(_ account: String, _ suffix: String) -> PassConfiguration {
        PassConfiguration(
            encryptionScheme: "EV_ECC_v2", cardholderName: "MEI LIN", primaryAccountSuffix: suffix, localizedDescription: "Example",
            primaryAccountIdentifier: account, paymentNetwork: "Visa", style: "payment", cardDetails: [],
            requiresFelicaSecureElement: false, productIdentifiers: [])
    }

    private static let snapshot = ExtensionSnapshot(
        cards: [
            .init(id: "card-1", title: "Example Visa", configuration: configuration("V-1", "1234")),
            .init(id: "card-2", title: "Another", configuration: configuration("", "5678")),
        ], requiresAuthentication: false)

    /// A bank whose extension is the ready-made one.
    private static func bank(
        _ issuer: FakeIssuer = FakeIssuer(), snapshot: ExtensionSnapshot? = snapshot, settings: AddPassSettings = .init(),
        art: CGImage? = SampleExtension.art, knows: Bool? = nil, change: (inout WalletExtension) -> Void = { _ in }
    ) -> WalletExtension {
        var installed = WalletExtension(
            handler: bundle, authorization: screen,
            makeHandler: { IssuerExtensionHandler(snapshot: { snapshot }, issuer: issuer, settings: settings, art: { _ in art }) },
            makeAuthorization: { knows.map { SampleLogIn(knows: $0) } })
        change(&installed)
        return installed
    }

    private static func reasons(_ device: SimulatedDevice, _ code: DeviceFault.Code = .extensionNotListed) -> [String] {
        device.faults.filter { $0.code == code }.map(\.reason)
    }

    private func titles(_ offer: WalletOffer?) -> [String] { (offer?.entries ?? []).map { "\($0.title)\($0.isRemote ? " (watch)" : "")" } }

    @Test func aSampleExtensionAddsItsCardToPhoneAndWatch() async throws {
        let broker = FakeBroker { $0.applications = Self.applications }
        let watch = Fixture.watch()
        let device = Fixture.phone(broker, watch: watch)
        let installed = WalletExtension(handler: Self.bundle, makeHandler: { SampleExtension(backend: Backend()) })
        let offer = try #require(await device.walletOffer(of: installed))
        #expect(titles(offer) == ["Example Visa", "Example Visa (watch)"] && !offer.requiresAuthentication)
        for entry in offer.entries {
            let sheet = try #require(await offer.add(entry))
            await sheet.play(AddPassScript())
            guard case .added = offer.outcome else {
                Issue.record("\(String(describing: offer.outcome))")
                return
            }
        }
        #expect(device.passes.count == 1 && watch.passes.count == 1 && device.addPassSheet == nil)
        let sent = broker.now.submissions
        #expect(sent.map(\.device.secureElementID) == [Fixture.phoneID, Fixture.watchID])
        #expect(sent.allSatisfy { $0.card.encryptedPassData == Data([1]) && $0.card.app == Self.bundle })
        #expect(device.faults.isEmpty, "\(device.faults)")
    }

    @Test func theReadyMadeExtensionLeavesOutWhatIsThere() async throws {
        let here = Fixture.pass(account: "V-1", applications: Self.applications)
        let device = Fixture.phone(watch: Fixture.watch(), passes: [here])
        #expect(titles(await device.walletOffer(of: Self.bank())) == ["Another", "Example Visa (watch)", "Another (watch)"])
        // Every card everywhere: nothing to list, and no entries are asked for.
        let only = ExtensionSnapshot(cards: [Self.snapshot.cards[0]], requiresAuthentication: false)
        let full = Fixture.phone(passes: [here])
        #expect(await full.walletOffer(of: Self.bank(snapshot: only)) == nil)
        #expect(Self.reasons(full) == ["no-entries"])
    }

    /// Rows 5 and 6 of provisioning.md#failures: metadata that names the app alone hides its passes from the extension.
    @Test func anExtensionThatTheMetadataDoesNotNameOffersWhatIsThere() async throws {
        let device = Fixture.phone(passes: [Fixture.pass(account: "V-1", applications: ["TEAM.example.bank"])])
        let offer = await device.walletOffer(of: Self.bank())
        #expect(titles(offer) == ["Another"])
        #expect(Self.reasons(device, .extensionEntryRefused) == ["card-1: already-held"])
        // The app itself sees it.
        SimulatedDevice.$current.withValue(device) { #expect(PKPassLibrary().passes(of: .secureElement).count == 1) }
    }

    @Test func whatIsNotListedSaysWhy() async throws {
        func reason(
            _ installed: WalletExtension, _ adjust: (inout SimulatedDevice.Configuration) -> Void = { _ in }
        ) async -> [String] {
            let device = Fixture.phone(adjust: adjust)
            #expect(await device.walletOffer(of: installed) == nil)
            return Self.reasons(device)
        }
        #expect(await reason(Self.bank()) { $0.hasSecureElement = false } == ["device-cannot-add-passes"])
        #expect(await reason(Self.bank()) { $0.app.mayAddPasses = false } == ["not-entitled"])
        #expect(await reason(Self.bank { $0.handler.mayAddPasses = false }) == ["not-entitled"])
        #expect(await reason(Self.bank { $0.authorization?.mayAddPasses = false }) == ["not-entitled"])
        #expect(await reason(Self.bank { $0.wasAppOpened = false }) == ["app-not-opened"])
        #expect(await reason(Self.bank(snapshot: nil)) == ["no-entries"])
        #expect(await reason(Self.bank(art: nil)) == ["no-entries"])
    }

    @Test func aStatusAfterATenthOfASecondIsNone() async throws {
        final class Slow: PKIssuerProvisioningExtensionHandler {
            nonisolated(unsafe) static var answer: ((PKIssuerProvisioningExtensionStatus) -> Void)?
            override func status(completion: @escaping (PKIssuerProvisioningExtensionStatus) -> Void) { Self.answer = completion }
        }
        let timer = ManualTimer()
        let device = Fixture.phone(timer: timer)
        let offer = Task { await device.walletOffer(of: WalletExtension(handler: Self.bundle, makeHandler: { Slow() })) == nil }
        await timer.untilSomeoneSleeps(for: .milliseconds(100))
        timer.advance(by: .milliseconds(100))
        #expect(await offer.value)
        #expect(Self.reasons(device) == ["status-late"])
        Slow.answer?(PKIssuerProvisioningExtensionStatus())
        #expect(device.faults.map(\.code) == [.unanswered, .extensionNotListed, .answeredLate])
    }

    @Test func anOverrideThatIsMissingIsRecorded() async throws {
        final class Half: PKIssuerProvisioningExtensionHandler {
            override func status(completion: @escaping (PKIssuerProvisioningExtensionStatus) -> Void) {
                let status = PKIssuerProvisioningExtensionStatus()
                status.passEntriesAvailable = true
                completion(status)
            }
        }
        let device = Fixture.phone()
        #expect(await device.walletOffer(of: WalletExtension(handler: Self.bundle, makeHandler: { Half() })) == nil)
        #expect(device.faults.map(\.code) == [.extensionCalledSuper, .extensionNotListed])
    }

    @Test func entriesThatBreakARuleAreLeftOut() async throws {
        final class Odd: PKIssuerProvisioningExtensionHandler {
            override func status(completion: @escaping (PKIssuerProvisioningExtensionStatus) -> Void) {
                let status = PKIssuerProvisioningExtensionStatus()
                status.passEntriesAvailable = true
                completion(status)
            }

            override func passEntries(completion: @escaping ([PKIssuerProvisioningExtensionPassEntry]) -> Void) {
                func entry(_ id: String, suffix: String? = "1", art: CGImage = SampleExtension.art)
                    -> PKIssuerProvisioningExtensionPassEntry?
                {
                    PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2).flatMap {
                        $0.primaryAccountSuffix = suffix
                        return PKIssuerProvisioningExtensionPaymentPassEntry(
                            identifier: id, title: "Card", art: art, addRequestConfiguration: $0)
                    }
                }
                completion(
                    [entry("a"), entry("a"), entry("b", art: CGImage(width: 969, height: 1_536)), entry("c", suffix: nil)].compactMap { $0 }
                )
            }
        }
        let device = Fixture.phone()
        let offer = await device.walletOffer(of: WalletExtension(handler: Self.bundle, makeHandler: { Odd() }))
        #expect(offer?.entries.map(\.id) == ["a"])
        #expect(
            Self.reasons(device, .extensionEntryRefused) == ["a: identifier-repeated", "b: art-unfit", "c: name-and-suffix-missing"])
        #expect(
            PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2).map {
                PKIssuerProvisioningExtensionPaymentPassEntry(
                    identifier: "", title: "x", art: SampleExtension.art, addRequestConfiguration: $0) == nil
            } == true)
    }

    @Test func whoHasToLogInAddsNothingBefore() async throws {
        var asking = Self.snapshot
        asking.requiresAuthentication = true
        let broker = FakeBroker { $0.applications = Self.applications }
        for (knows, outcome) in [(nil, WalletOffer.Outcome.failed), (false, .cancelled)] as [(Bool?, WalletOffer.Outcome)] {
            let device = Fixture.phone(broker)
            let offer = try #require(await device.walletOffer(of: Self.bank(snapshot: asking, knows: knows)))
            #expect(offer.requiresAuthentication && offer.outcome == nil)
            #expect(await offer.add(offer.entries[0]) == nil)
            #expect(offer.outcome == outcome && broker.now.challenges == 0)
            #expect(device.faults.map(\.code) == (knows == nil ? [.authorizationMissing] : []))
        }
        let device = Fixture.phone(broker)
        let offer = try #require(await device.walletOffer(of: Self.bank(snapshot: asking, knows: true)))
        try await #require(await offer.add(offer.entries[0])).play(AddPassScript())
        #expect(device.passes.count == 1)
    }

    @Test func theIssuerIsAskedAgainWhileNobodyAnswers() async throws {
        let timer = ManualTimer()
        let settings = AddPassSettings { try await timer.sleep($0) }
        let issuer = FakeIssuer { $0.refusals["passData"] = [Fixture.unanswered] }
        let broker = FakeBroker { $0.applications = Self.applications }
        let device = Fixture.phone(broker)
        let offer = try #require(await device.walletOffer(of: Self.bank(issuer, settings: settings)))
        let sheet = try #require(await offer.add(offer.entries[0]))
        let played = Task { await sheet.play(AddPassScript()) }
        await timer.untilSomeoneSleeps(for: .milliseconds(500))
        timer.advance(by: .milliseconds(500))
        _ = await played.value
        guard case .added = offer.outcome else {
            Issue.record("\(String(describing: offer.outcome))")
            return
        }
        #expect(issuer.now.challenges.count == 2 && Set(issuer.now.challenges).count == 1)
        #expect(device.faults.isEmpty)
    }

    /// A card that the issuer refuses, that is not in the snapshot any more, or that comes too late: Wallet adds nothing, and is answered.
    @Test func whatCannotBeSealedIsAnsweredWithNothing() async throws {
        let issuer = FakeIssuer { $0.refusals["passData"] = [Fixture.refused] }
        let device = Fixture.phone(FakeBroker())
        let offer = try #require(await device.walletOffer(of: Self.bank(issuer)))
        try await #require(await offer.add(offer.entries[0])).play(AddPassScript())
        #expect(offer.outcome == .failed && device.passes.isEmpty && device.faults.isEmpty)

        let timer = ManualTimer()
        let silent = FakeIssuer(beforePassData: { try? await timer.sleep(.seconds(3_600)) })
        let late = Fixture.phone(FakeBroker())
        let settings = AddPassSettings { try await timer.sleep($0) }
        let second = try #require(await late.walletOffer(of: Self.bank(silent, settings: settings)))
        let sheet = try #require(await second.add(second.entries[0]))
        let played = Task { await sheet.play(AddPassScript()) }
        await timer.untilSomeoneSleeps(for: .seconds(15))
        timer.advance(by: .seconds(15))
        _ = await played.value
        #expect(second.outcome == .failed && late.passes.isEmpty && late.faults.isEmpty)
        timer.advance(by: .seconds(3_600))

        let shrinking = Mutex<ExtensionSnapshot?>(Self.snapshot)
        let gone = Fixture.phone(FakeBroker())
        let bank = WalletExtension(
            handler: Self.bundle,
            makeHandler: {
                IssuerExtensionHandler(
                    snapshot: { shrinking.withLock { $0 } }, issuer: FakeIssuer(), art: { _ in SampleExtension.art })
            })
        let third = try #require(await gone.walletOffer(of: bank))
        shrinking.withLock { $0 = nil }
        try await #require(await third.add(third.entries[0])).play(AddPassScript())
        #expect(third.outcome == .failed && gone.passes.isEmpty)
    }

    @Test func aCustomerWhoTurnsBackHasAddedNothing() async throws {
        let device = Fixture.phone(FakeBroker())
        let offer = try #require(await device.walletOffer(of: Self.bank()))
        try await #require(await offer.add(offer.entries[0])).play(AddPassScript(acceptsTerms: false))
        #expect(offer.outcome == .cancelled && device.passes.isEmpty)
        // And may choose again.
        try await #require(await offer.add(offer.entries[1])).play(AddPassScript())
        #expect(device.passes.count == 1)
    }

    @Test func theAppLeavesWhatCanBeAdded() async throws {
        let issuer = FakeIssuer { state in
            state.cards = [
                FakeIssuer.card,
                IssuerCard(
                    id: "b", network: "visa", suffix: "9", displayName: "Blocked", cardholderName: "M", primaryAccountIdentifier: "",
                    status: "blocked"),
            ]
        }
        let snapshot = try await ExtensionSnapshot(from: issuer, requiresAuthentication: true)
        #expect(snapshot.cards.map(\.id) == ["card-1"] && snapshot.requiresAuthentication)
        issuer.change { $0.eligibility = .disabled(code: "switched-off", reason: "later") }
        #expect(try await ExtensionSnapshot(from: issuer, requiresAuthentication: true).cards.isEmpty)
        issuer.change { $0.refusals["cards"] = [Fixture.unanswered] }
        await #expect(throws: Fixture.unanswered) { try await ExtensionSnapshot(from: issuer, requiresAuthentication: true) }

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = ExtensionSnapshotFile(url: folder.appendingPathComponent("wallet.json"))
        #expect(file.read() == nil)
        try file.remove()
        try file.write(snapshot)
        #expect(file.read() == snapshot)
        try Data("{\"cards\":".utf8).write(to: file.url)
        #expect(file.read() == nil)
        try Data(repeating: 0x20, count: 1_048_577).write(to: file.url)
        #expect(file.read() == nil)
        try file.remove()
        #expect(!FileManager.default.fileExists(atPath: file.url.path))
    }
}
