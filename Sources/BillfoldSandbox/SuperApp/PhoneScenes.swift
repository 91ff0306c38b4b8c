import Foundation
import WalletAPI

/// What the super app opens for `my.navigateToBizScene`: every documented scene (mini-programs.md#deeplinkservice).
struct PhoneScenes: Sendable {
    let person: PhonePerson
    let services: WalletServices
    /// Opens a link of the super app's own.
    let openLink: @MainActor @Sendable (String) -> Void

    func register(in table: TableDeepLinkService, linkScheme: String) {
        for scene in WalletScene.allCases { table.register(scene: scene.rawValue) { parameters, _ in try await open(scene, parameters) } }
        table.register(scheme: linkScheme) { address, _ in
            Task { @MainActor in openLink(address.absoluteString) }
            return true
        }
        for scheme in ["https", "http"] {
            table.register(scheme: scheme) { address, _ in
                Task { _ = await person.asks(Self.sheet(.webPage, ["url": address.absoluteString])) }
                return true
            }
        }
    }

    private func open(_ scene: WalletScene, _ parameters: [String: String]) async throws -> [String: String] {
        switch scene {
        case .scan:
            let result = await services.code.scan(with: IAPWalletScannerOption())
            guard let code = result.code else { throw result.failure ?? WalletFailure(.unknownError, "nothing was scanned") }
            return ["code": code]
        case .scheme:
            let address = parameters["url"] ?? parameters["scheme"] ?? ""
            await openLink(address)
            return [:]
        default:
            // A page of the app that the person leaves with or without having done what it is for.
            guard case .yes = await person.asks(Self.sheet(scene, parameters)) else {
                throw WalletFailure(.userCancel, "the person left the page")
            }
            return [:]
        }
    }

    private static func sheet(_ scene: WalletScene, _ parameters: [String: String]) -> SuperAppScreen.Sheet {
        var sheet = SuperAppScreen.Sheet(.scene, title: title(of: scene))
        sheet.scene = scene.rawValue
        sheet.items = parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.prefix(300))" }
        return sheet
    }

    private static func title(of scene: WalletScene) -> String {
        switch scene {
        case .webPage: "A web page"
        case .scan: "Scan"
        case .qrPay: "Pay code"
        case .bindCard: "Bind a bank card"
        case .topUp: "Top up"
        case .scheme: "A page of the app"
        case .qrCode: "Your code"
        }
    }
}
