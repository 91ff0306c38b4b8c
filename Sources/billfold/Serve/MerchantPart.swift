import ApplePay
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import CardPaymentsServer
import Crypto
import PaymentCrypto
import UnionPay

/// The merchant's card-payments server on the public listener.
enum MerchantPart {
    static func make(_ shared: ServeComposition.Shared) async throws -> ServeComposition.Part {
        let options = shared.options
        var surroundings = shared.surroundings
        surroundings.errors = surroundings.errors.withCardPayments()
        let database = try await StoreOpening.open(
            options.database, folder: shared.folder, mode: shared.options.configuration.mode,
            migrations: CardPaymentsServer.migrations + OperatorRecords.migrations,
            clock: surroundings.clock, logger: surroundings.logger)
        do {
            let server = try CardPaymentsServer(
                configuration: try await configuration(shared), database: database, http: shared.sender, trace: shared.trace.buffer,
                identifiers: IdentifierSource { SystemRandomness.bits() }, surroundings: surroundings)
            if options.configuration.mode == .test {
                try await server.service.register(
                    apiKey: MerchantKeys.apiKey(in: shared.folder), merchant: BillfoldPayments.MerchantID(MerchantKeys.merchantName),
                    label: "shop")
            }
            let router = surroundings.router(for: options.configuration.publicListener)
            server.addRoutes(to: router)
            return ServeComposition.Part(
                listeners: [Listener(options.configuration.publicListener, router: router, logger: surroundings.logger)],
                workers: server.workers, closing: [{ try await database.close() }], merchant: (database, server))
        } catch {
            try? await database.close()
            throw error
        }
    }

    private static func configuration(_ shared: ServeComposition.Shared) async throws -> CardPaymentsConfiguration {
        let keys = MerchantKeys(shared: shared)
        let ec = try await keys.processing("processing-ec") {
            var generator = SystemRandomNumberGenerator()
            return .p256(try P256PrivateKey(using: &generator))
        }
        let rsa = try await keys.processing("processing-rsa") { .rsa(try RSAPrivateKey(bits: 2048)) }
        var ring = KeyRing(active: ec.id, ec)
        try ring.add(rsa.id, rsa)
        let merchant = MerchantProfile(
            id: try BillfoldPayments.MerchantID(MerchantKeys.merchantName), applePayIdentifier: MerchantKeys.applePayIdentifier,
            processingKeys: ring, acquirerID: try UnionPay.MerchantID(MerchantKeys.acquirerID), signer: try await keys.signer(),
            verifier: try await keys.verifier())
        let gateway = "\(shared.options.addresses.unionPay)/unionpay"
        let sealing = try SealingKey(bytes: keys.symmetric("sealing").reveal())
        return CardPaymentsConfiguration(
            mode: shared.options.configuration.mode, merchants: [merchant], tokenTrust: try await keys.trust(),
            endpoints: .init(
                transaction: "\(gateway)/gateway/api/backTransReq.do", query: "\(gateway)/gateway/api/queryTrans.do",
                file: "\(gateway)/file/",
                notification: "\(shared.options.addresses.merchant)/unionpay/notify"),
            keys: .init(
                audit: SymmetricKey(data: try keys.symmetric("audit").reveal()),
                hashing: SymmetricKey(data: try keys.symmetric("hashing").reveal()),
                sealer: EnvelopeSealer(ring: KeyRing(active: "sealing-1", sealing))))
    }
}
