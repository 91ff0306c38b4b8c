import BillfoldWeb

/// The page on which the bank's app is tried. The phone on it draws itself.
struct BankPages: Sendable {
    /// The console's origin, for the links to the back office; nil without one.
    let console: String?
    let models = BankPhoneModel.allCases.map { PageChoice(value: $0.rawValue, title: $0.title, isChosen: $0 == .trusted) }

    func phone() throws -> String {
        let frame = PageFrame(
            links: [.init("Bank", path: "/bank/")] + (console.map { [.init("Console", path: $0 + "/")] } ?? []))
        return try frame.render(
            "bank/phone", of: .sandbox, title: "Bank", path: "/bank/", styles: ["phone/phone.css", "bank/bank.css"],
            scripts: ["bank/bank.js"], self)
    }
}
