import BillfoldWeb

/// The page on which the bank's app is tried. The phone on it draws itself.
struct BankPages: Sendable {
    /// The console's origin, for the links to the back office; nil without one.
    let console: String?

    func phone() throws -> String {
        let frame = PageFrame(
            links: [.init("Bank", path: "/bank/")] + (console.map { [.init("Console", path: $0 + "/")] } ?? []))
        var model: [String: Any] = [
            "models": BankPhoneModel.allCases.map { ["value": $0.rawValue, "title": $0.title, "isFirst": $0 == .trusted] as [String: Any] }
        ]
        model["console"] = console
        return try frame.render(
            "bank/phone", of: .sandbox, title: "Bank", path: "/bank/", styles: ["phone/phone.css", "bank/bank.css"],
            scripts: ["bank/bank.js"], model)
    }
}
