import ApplePay
import ApplePayApp
import BillfoldSandbox
import BillfoldServer
import Foundation
import HTTPTypes
import Hummingbird

/// The customer's phone, with the wallet behind it.
enum PhonePart {
    static func add(to router: Router<ServerRequestContext>, _ shared: ServeComposition.Shared, directory: MerchantDirectory) async throws {
        let addresses = shared.options.addresses
        let wallet = WalletSimulator(
            directory: directory, clock: SandboxPart.dates(shared), generator: SystemRandomNumberGenerator())
        let merchant = HTTPMerchantConnection(origin: addresses.merchant, client: shared.partyClient, limitSeconds: 40)
        var surroundings = PhoneSurroundings(
            shop: HTTPShopFront(connection: HTTPMerchantConnection(origin: addresses.shop, client: shared.partyClient)),
            merchant: HTTPMerchantServer(send: { try await merchant.send($0) }), wallet: wallet, reporter: SandboxPart.reporter(shared))
        let console = addresses.console
        surroundings.story = { order in "\(console)/orders/\(order)" }
        let phones = await PhoneDirectory(surroundings: surroundings)
        PhoneRoutes(directory: phones).addRoutes(to: router)
        addWalletRoute(wallet, to: router)
    }

    private struct WalletSetting: Decodable { var version: String? }

    /// `PUT /phone/wallet` `{"version": "EC_v1" | "RSA_v1" | null}`: which kind of token the wallet makes from now on; without a
    /// version the merchant's certificates decide.
    private static func addWalletRoute(_ wallet: WalletSimulator, to router: Router<ServerRequestContext>) {
        router.put("/phone/wallet") { request, _ in
            let body = try await request.body.collect(upTo: 1_024)
            let setting = try JSONDecoder().decode(WalletSetting.self, from: Data(body.readableBytesView))
            var knobs = await wallet.knobs
            knobs.version = try setting.version.map { name in
                guard let version = PaymentToken.Version(rawValue: name) else {
                    throw ServerError(code: .malformedRequest, reason: "a version is EC_v1 or RSA_v1", status: .badRequest)
                }
                return version
            }
            await wallet.set(knobs)
            return Response(status: .noContent)
        }
    }
}
