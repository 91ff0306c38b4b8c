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
        try frame.render(
            "super-app/phone", of: .sandbox, title: "Super app", path: "/super-app/",
            styles: ["phone/phone.css", "express/express.css", "super-app/super-app.css"], scripts: ["super-app/super-app.js"],
            Phone(session: session, console: console, codes: try codes()))
    }

    /// What the tab shows that came back from the wallet's pages: the phone is in the other one.
    func back(isTaken: Bool) throws -> String {
        try frame.render("super-app/back", of: .sandbox, title: "Back in the super app", Back(isTaken: isTaken))
    }

    private struct Back: Sendable {
        let isTaken: Bool
    }

    private struct Phone: Sendable {
        struct Code: Sendable {
            let title: String
            let label: String
            let path: String
            let box: String
        }

        let session: String?
        let console: String?
        let codes: [Code]
    }

    /// Something to hold before the scanner.
    private func codes() throws -> [Phone.Code] {
        let link = "https://\(codeHost)/mp/\(AuthorProgram.teaCounter.appID)?pq=table%3D7"
        let (table, cup) = (try QRCode(link), try BarCode(ean13: "4006381333931"))
        return [
            .init(
                title: "A table of the tea house: from the home page it opens Tea Counter", label: "QR code of a table", path: table.path,
                box: table.viewBox),
            .init(title: "A cup, \(cup.digits)", label: "Bar code of a cup", path: cup.path, box: cup.viewBox),
        ]
    }
}
