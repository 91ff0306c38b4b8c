package import BillfoldWeb

/// `/mini-programs`: what the platform hosts, and whose servers may call it.
package struct MiniProgramsPage: Sendable {
    package var frame: PageFrame
    package var shelf: MiniProgramShelf

    static let styles = ["console/ledger.css"]

    package init(frame: PageFrame = PageFrame(), shelf: MiniProgramShelf) {
        self.frame = frame
        self.shelf = shelf
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/mini-programs", of: .wallet, title: "Mini programs", path: "/mini-programs", styles: Self.styles,
            [
                "programs": shelf.programs.map(\.model), "hasPrograms": !shelf.programs.isEmpty,
                "signers": shelf.signers.map { signer in
                    [
                        "id": signer.id, "name": signer.name, "kind": signer.kind, "members": signer.members.joined(separator: ", "),
                        "state": StateWord(signer.isOpen ? "active" : "blocked"),
                    ] as [String: Any]
                }, "hasSigners": !shelf.signers.isEmpty,
                "keys": shelf.keys.map { ["use": $0.use, "pem": $0.pem] },
            ])
    }
}

/// `/mini-programs/{appId}`: versions, review, release and permissions of one mini program.
package struct MiniProgramPage: Sendable {
    package var frame: PageFrame
    package var view: MiniProgramView
    /// Whether the reader may ask for steps, which a second person approves.
    package var offersSteps: Bool

    package init(frame: PageFrame = PageFrame(), view: MiniProgramView, offersSteps: Bool = false) {
        self.frame = frame
        self.view = view
        self.offersSteps = offersSteps
    }

    package func html() throws(WebError) -> String {
        func list(_ name: String, _ values: [String]) -> [String: Any] {
            ["name": name, "values": values.map { ["text": $0] }, "isEmpty": values.isEmpty]
        }
        var content: [String: Any] = [
            "program": view.program.model, "offersSteps": offersSteps,
            "builds": view.builds.map { $0.model(of: view.program.appID, isOffered: offersSteps) }, "hasBuilds": !view.builds.isEmpty,
            "codes": view.codes.map { code in
                var model: [String: Any] = ["id": code.id, "deepLink": code.deepLink, "content": code.content]
                model["picture"] = Self.picture(of: code.content)
                return model
            },
            "permissions": [
                list("Servers it may call", view.serverDomains), list("Pages it may show", view.webPageDomains),
                list("Features", view.features), list("Interfaces of the super app", view.customInterfaces),
                list("Scenes it may open", view.scenes),
            ],
            "scopes": view.scopes.map { ["name": $0.name, "rule": $0.rule, "isOwn": $0.isOwn] as [String: Any] },
            "ownScopes": view.scopes.filter(\.isOwn).map { "\($0.name)=\($0.rule)" }.joined(separator: "\n"),
            "featuresText": view.features.joined(separator: "\n"), "interfacesText": view.customInterfaces.joined(separator: "\n"),
            "scenesText": view.scenes.joined(separator: "\n"),
        ]
        content["slogan"] = view.slogan
        content["client"] = view.authClientID
        content["mayTakeDown"] = offersSteps && view.program.isOpen
        content["mayRestore"] = offersSteps && !view.program.isOpen
        return try frame.render(
            "console/mini-program", of: .wallet, title: view.program.name, path: "/mini-programs", styles: MiniProgramsPage.styles,
            scripts: ["console/operators.js"], content)
    }

    /// Nil for a text that does not fit into a code.
    private static func picture(of text: String) -> [String: Any]? {
        guard let code = try? QRCode(text) else { return nil }
        let side = code.side + 2 * QRCode.margin
        return ["path": code.path, "box": "-\(QRCode.margin) -\(QRCode.margin) \(side) \(side)"]
    }
}

extension MiniProgramShelf.Program {
    fileprivate var model: [String: Any] {
        var model: [String: Any] = [
            "appID": appID, "name": name, "author": author, "workspace": workspace,
            "state": StateWord(isOpen ? "active" : "blocked"), "path": "/mini-programs/\(PathSegment.encoded(appID))",
            "isTakenDown": !isOpen,
        ]
        model["released"] = released
        if waiting > 0 { model["waiting"] = waiting == 1 ? "1 version waits for a review" : "\(waiting) versions wait for a review" }
        return model
    }
}

extension MiniProgramView.Build {
    fileprivate func model(of appID: String, isOffered: Bool) -> [String: Any] {
        var model: [String: Any] = [
            "version": version, "state": state, "mark": Self.marks[state] ?? "mark-open", "minimumContainer": minimumContainer,
            "madeAt": InstantText.utc(madeAt), "madeAtMachine": InstantText.machine(madeAt), "subject": "\(appID)@\(version)",
            "steps": isOffered ? steps.map(\.model) : [], "hasSteps": isOffered && !steps.isEmpty,
        ]
        model["percent"] = percent.map { "\($0) % of all users" }
        if !testGroup.isEmpty { model["testGroup"] = testGroup.joined(separator: ", ") }
        model["sha256"] = sha256
        model["webPage"] = webPage
        return model
    }

    private static let marks = ["Full Release": "mark-done", "Canceled": "mark-bad", "Archived": "mark-quiet"]
}

extension MiniProgramView.Step {
    fileprivate var model: [String: Any] {
        ["kind": "mini-program-\(rawValue)", "label": label, "takesShare": self == .gray, "takesUsers": self == .pilot || self == .gray]
    }

    private var label: String {
        switch self {
        case .approve: "Approve the review"
        case .reject: "Reject it"
        case .pilot: "Give it to the test group"
        case .gray: "Give it to a share of users"
        case .release: "Release it to everybody"
        case .rollBack: "Bring it back"
        case .cancel: "Give it up"
        case .archive: "Archive it"
        }
    }
}
