import ApplePayApp

/// A phone session across HTTP.
package struct RemotePhone: ShoppersPhone {
    private let device: RemoteDevice<PhoneScreen>

    /// Opens a session at the origin that the connection leads to.
    package init(opening model: PhoneModel, lines: [CartLine], over connection: any MerchantConnection) async throws {
        device = try await RemoteDevice(
            "/phone/sessions", opening: PhoneRoutes.Opening(model: model, lines: lines), over: connection, session: \.session)
    }

    package func screen(after revision: Int?) async throws -> PhoneScreen { try await device.screen(after: revision) }

    package func tap(_ tap: PhoneTap) async throws -> PhoneScreen { try await device.tap(tap) }
}
