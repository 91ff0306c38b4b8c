import BillfoldWeb

/// The page with the phone that runs the super app.
struct SuperAppPages: Sendable {
    /// The console's origin; nil without one.
    let console: String?
    /// The host in printed codes.
    let codeHost: String

    private var frame: PageFrame {
        PageFrame(
            links: [.init("Super app", path: "/super-app/")] + (console.map { [.init("Console", path: $0 + "/")] } ?? []), mode: "test")
    }

    /// - Parameter session: The phone that the browser holds already.
    func phone(session: String?) throws -> String {
        var model: [String: Any] = [:]
        model["session"] = session
        model["console"] = console
        model["codes"] = try codes()
        return try frame.render(
            "super-app/phone", of: .sandbox, title: "Super app", path: "/super-app/",
            styles: ["phone/phone.css", "express/express.css", "super-app/super-app.css"], scripts: ["super-app/super-app.js"], model)
    }

    /// What the tab shows that came back from the wallet's pages: the phone is in the other one.
    func back(isTaken: Bool) throws -> String {
        try frame.render("super-app/back", of: .sandbox, title: "Back in the super app", ["isTaken": isTaken])
    }

    /// Something to hold before the scanner.
    private func codes() throws -> [[String: String]] {
        let link = "https://\(codeHost)/mp/\(AuthorProgram.teaCounter.appID)?pq=table%3D7"
        let (table, cup) = (try QRCode(link), try BarCode(ean13: "4006381333931"))
        return [
            [
                "title": "A table of the tea house: from the home page it opens Tea Counter", "label": "QR code of a table",
                "path": table.path, "box": table.viewBox,
            ],
            ["title": "A cup, \(cup.digits)", "label": "Bar code of a cup", "path": cup.path, "box": cup.viewBox],
        ]
    }
}
