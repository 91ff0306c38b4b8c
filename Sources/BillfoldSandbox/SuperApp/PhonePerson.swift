import WalletAPI

/// The person who holds the phone, as one run of a mini program (or the home page) meets them: what they are asked, one sheet after another,
/// and what they answer. When the run is over everything is answered with no, also what it asks afterwards.
@MainActor
final class PhonePerson {
    /// What ends a sheet.
    enum Answer: Sendable, Equatable {
        case yes(String)
        /// Refused, cancelled, or gone.
        case no
        /// Back from the wallet's pages, by their way or without it.
        case cameBack
    }

    /// One use of the scanner. It takes its turn like any other sheet.
    @MainActor
    final class Scanning {
        let sheet: SuperAppScreen.Sheet
        /// Whether the person left it. A code that is found afterwards in a picture that was being searched counts no more.
        fileprivate(set) var hasLeft = false
        fileprivate var waiting: CheckedContinuation<CodePicture?, Never>?
        fileprivate var kept: CodePicture?

        fileprivate init(_ sheet: SuperAppScreen.Sheet) { self.sheet = sheet }
    }

    private enum Item {
        case question(SuperAppScreen.Sheet, CheckedContinuation<Answer, Never>)
        case scanner(Scanning)

        var sheet: SuperAppScreen.Sheet {
            switch self {
            case .question(let sheet, _): sheet
            case .scanner(let scanning): scanning.sheet
            }
        }
    }

    /// Told of the sheet on top, or of none.
    var onChange: (SuperAppScreen.Sheet?) -> Void = { _ in }
    private var items: [Item] = []
    private var isGone = false

    var sheet: SuperAppScreen.Sheet? { items.first?.sheet }

    /// Shows a sheet when those before it are answered, and waits.
    func asks(_ sheet: SuperAppScreen.Sheet) async -> Answer {
        guard !isGone else { return .no }
        return await withCheckedContinuation { answer in
            items.append(.question(sheet, answer))
            onChange(self.sheet)
        }
    }

    /// Answers the sheet on top.
    func answers(_ answer: Answer) {
        guard case .question(_, let waiting)? = items.first else { return }
        items.removeFirst()
        waiting.resume(returning: answer)
        onChange(sheet)
    }

    /// The person is back from the wallet's pages, whatever has come up over the cashier since. False where nobody waits for that.
    func comesBack() -> Bool {
        let index = items.firstIndex { $0.sheet.kind == .cashier }
        guard let index, case .question(_, let waiting) = items.remove(at: index) else { return false }
        waiting.resume(returning: .cameBack)
        onChange(sheet)
        return true
    }

    // MARK: The scanner

    func opensScanner(_ type: IAPWalletCodeType, albumAllowed: Bool) -> Scanning {
        var sheet = SuperAppScreen.Sheet(.scanner)
        sheet.type = type == .barCode ? "barCode" : "qrCode"
        sheet.albumAllowed = albumAllowed
        let scanning = Scanning(sheet)
        scanning.hasLeft = isGone
        if !isGone {
            items.append(.scanner(scanning))
            onChange(self.sheet)
        }
        return scanning
    }

    func closes(_ scanning: Scanning) {
        items.removeAll { if case .scanner(scanning) = $0 { true } else { false } }
        leave(scanning)
        onChange(sheet)
    }

    /// The next picture that the page sends; nil when the person leaves.
    func nextPicture(for scanning: Scanning) async -> CodePicture? {
        guard !scanning.hasLeft else { return nil }
        if let kept = scanning.kept {
            scanning.kept = nil
            return kept
        }
        return await withCheckedContinuation { scanning.waiting = $0 }
    }

    /// Takes a picture of the page's for the scanner on top. One of the camera is dropped while another is searched; the album's is the
    /// person's word and waits.
    func gives(_ taken: CodePicture) {
        guard case .scanner(let scanning)? = items.first else { return }
        if let waiting = scanning.waiting {
            scanning.waiting = nil
            waiting.resume(returning: taken)
        } else if taken.origin == .album {
            scanning.kept = taken
        }
    }

    /// Leaves the scanner on top: its sheet goes at once.
    func leavesScanner() {
        guard case .scanner(let scanning)? = items.first else { return }
        closes(scanning)
    }

    private func leave(_ scanning: Scanning) {
        scanning.hasLeft = true
        scanning.waiting?.resume(returning: nil)
        scanning.waiting = nil
    }

    /// The run is over.
    func leaves() {
        isGone = true
        let left = items
        items = []
        for item in left {
            switch item {
            case .question(_, let waiting): waiting.resume(returning: .no)
            case .scanner(let scanning): leave(scanning)
            }
        }
        onChange(nil)
        onChange = { _ in }
    }
}

extension PhonePerson.Scanning {
    /// As a pattern.
    nonisolated static func ~= (pattern: PhonePerson.Scanning, value: PhonePerson.Scanning) -> Bool { pattern === value }
}
