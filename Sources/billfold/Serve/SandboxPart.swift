import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Foundation
import Hummingbird
import PaymentCrypto

/// The parties that others operate, played on one listener under a path of their own each.
enum SandboxPart {
    static func make(_ shared: ServeComposition.Shared) async throws -> ServeComposition.Part {
        var part = ServeComposition.Part()
        let roles = shared.options.sandboxRoles
        var configuration = shared.options.sandboxListener
        if roles.contains(.superApp) {
            // Photographs for the scanner.
            configuration.limits.maximumBodyBytes = max(configuration.limits.maximumBodyBytes, SuperAppRoutes.pictureLimit)
        }
        // The wallet's page leads to the app's by its address, which holds a whole order, percent-encoded twice.
        if roles.contains(.alipayMerchant) {
            configuration.limits.maximumHeaderBytes = max(configuration.limits.maximumHeaderBytes, 131_072)
        }
        let router = shared.surroundings.router(for: configuration)
        do {
            if !roles.isDisjoint(with: [.certificates, .phone]) {
                // The wallet's owner issues certificates and makes tokens: one authority, kept in one folder.
                let folder = WalletFolder(URL(fileURLWithPath: shared.folder.path("wallet"), isDirectory: true))
                let dates = dates(shared)
                let directory = try folder.directory(at: dates(), clock: dates, generator: SystemRandomNumberGenerator())
                if roles.contains(.certificates) {
                    let keys = URL(fileURLWithPath: shared.folder.path(MerchantInstallation.sandboxKeys), isDirectory: true)
                    let rotation = KeyRotation(
                        store: KeyStore(folder: keys, encryption: shared.encryption), directory: directory, now: dates)
                    CertificateOffice(directory: directory) { try await rotation.prepare($0) }.addRoutes(to: router)
                }
                if roles.contains(.phone) { try await PhonePart.add(to: router, shared, directory: directory) }
            }
            if roles.contains(.shop) { try ShopPart.add(to: router, shared) }
            if roles.contains(.bankApp) { try await BankAppPart.add(to: router, shared) }
            if roles.contains(.alipayMerchant) { try await AlipayMerchantPart.add(to: router, shared, &part) }
            if roles.contains(.mobileWallets) { try await MobileWalletsPart.add(to: router, shared, &part) }
            if roles.contains(.acquirer) { try await AcquirerPart.add(to: router, shared, &part) }
            if roles.contains(.miniProgramAuthor) { try await MiniProgramAuthorPart.add(to: router, shared, &part) }
            if roles.contains(.superApp) { try await SuperAppPart.add(to: router, shared) }
            if !roles.isDisjoint(with: [.shop, .phone, .bankApp, .alipayMerchant, .mobileWallets, .acquirer, .superApp]) {
                try SandboxAssets().addRoutes(to: router)
            }
            if let clock = shared.movableClock { ClockRoutes(clock: clock).addRoutes(to: router) }
            if roles.contains(.unionPay) { try await UnionPayPart.add(to: router, shared, &part) }
            if roles.contains(.cardProcessor) { try await CardProcessorPart.add(to: router, shared, &part) }
            if roles.contains(.cardNetwork) { try await CardNetworkPart.add(to: router, shared, &part) }
            if roles.contains(.broker) { try await BrokerPart.add(to: router, shared, &part) }
        } catch {
            for close in part.closing { try? await close() }
            throw error
        }
        part.listeners = [Listener(configuration, router: router, logger: shared.surroundings.logger)]
        return part
    }

    static func reporter(_ shared: ServeComposition.Shared) -> PartyReporter {
        let clock = shared.surroundings.clock
        return PartyReporter(sink: shared.trace.buffer, now: { clock.now().microseconds }, makeName: { SystemRandomness.name() })
    }

    static func dates(_ shared: ServeComposition.Shared) -> @Sendable () -> Date {
        let clock = shared.surroundings.clock
        return { Date(timeIntervalSince1970: TimeInterval(clock.now().microseconds) / 1_000_000) }
    }
}
