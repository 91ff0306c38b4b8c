import Foundation
import Testing

@testable import PassKitSimulator

/// A bank's extension of Wallet whose methods are written with `async`.
@MainActor @Suite struct AsyncExtensionTests {
    private final class AsyncExtension: PKIssuerProvisioningExtensionHandler {
        override func status() async -> PKIssuerProvisioningExtensionStatus {
            let status = PKIssuerProvisioningExtensionStatus()
            status.passEntriesAvailable = true
            return status
        }

        override func passEntries() async -> [PKIssuerProvisioningExtensionPassEntry] {
            guard let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2) else { return [] }
            configuration.primaryAccountSuffix = "1234"
            configuration.primaryAccountIdentifier = "V-1"
            let entry = PKIssuerProvisioningExtensionPaymentPassEntry(
                identifier: "card-1", title: "Example Visa", art: CGImage(width: 1_536, height: 969), addRequestConfiguration: configuration
            )
            return [entry].compactMap(\.self)
        }

        override func generateAddPaymentPassRequestForPassEntryWithIdentifier(
            _ identifier: String, configuration: PKAddPaymentPassRequestConfiguration, certificateChain certificates: [Data], nonce: Data,
            nonceSignature: Data
        ) async -> PKAddPaymentPassRequest? {
            let request = PKAddPaymentPassRequest()
            request.encryptedPassData = Data(identifier.utf8)
            request.activationData = nonce
            request.ephemeralPublicKey = Data([4])
            return request
        }
    }

    @Test func walletAsksByTheSpellingThatIsThere() async throws {
        let broker = FakeBroker()
        let device = Fixture.phone(broker)
        let bundle = SignedApp(applicationIdentifier: "TEAM.example.bank.wallet", adamID: 1, mayAddPasses: true)
        let installed = WalletExtension(handler: bundle, makeHandler: { AsyncExtension() })
        let offer = try #require(await device.walletOffer(of: installed), "not listed: \(device.faults)")
        let entry = try #require(offer.entries.first)
        #expect(entry.title == "Example Visa" && offer.entries.count == 1)
        let sheet = try #require(await offer.add(entry))
        await sheet.play(AddPassScript())
        #expect(offer.outcome == .added("serial-card-1") && device.faults.isEmpty)
        #expect(broker.now.submissions.first?.card.encryptedPassData == Data("card-1".utf8))
    }
}
