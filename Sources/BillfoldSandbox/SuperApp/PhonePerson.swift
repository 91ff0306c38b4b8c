import WalletAPI

/// The person who holds the phone: what they are asked, one sheet after another, and what they answer.
@MainActor
final class PhonePerson {
    /// What ends a sheet.
    enum Answer: Sendable, Equatable {
        case yes(String)
        /// Refused, cancelled, or gone.
        case no
        /// Back from the wallet's pages, with the address that the system opened the app with.
        case returned(String)
        /// Back from the wallet's pages without it.
        case cameBack
    }

    private struct Question {
        var sheet: SuperAppScreen.Sheet
        var answer: CheckedContinuation<Answer, Never>
    }

    /// Shows the sheet on top, or none.
    var onChange: (SuperAppScreen.Sheet?) -> Void = { _ in }
    private var questions: [Question] = []

    // The scanner stays while pictures come and go.
    private var scanner: SuperAppScreen.Sheet?
    private var picture: CheckedContinuation<CodePicture?, Never>?
    private var kept: CodePicture?

    var sheet: SuperAppScreen.Sheet? { scanner ?? questions.first?.sheet }

    /// Shows a sheet when those before it are answered, and waits.
    func asks(_ sheet: SuperAppScreen.Sheet) async -> Answer {
        await withCheckedContinuation { answer in
            questions.append(Question(sheet: sheet, answer: answer))
            onChange(self.sheet)
        }
    }

    /// Answers the sheet on top.
    func answers(_ answer: Answer) {
        guard scanner == nil, !questions.isEmpty else { return }
        questions.removeFirst().answer.resume(returning: answer)
        onChange(sheet)
    }

    // MARK: The scanner

    func opensScanner(_ type: IAPWalletCodeType, albumAllowed: Bool) {
        var sheet = SuperAppScreen.Sheet(.scanner)
        sheet.type = type == .barCode ? "barCode" : "qrCode"
        sheet.albumAllowed = albumAllowed
        (scanner, kept) = (sheet, nil)
        onChange(sheet)
    }

    func closesScanner() {
        scanner = nil
        leavesScanner()
        onChange(sheet)
    }

    /// The next picture that the page sends; nil when the person leaves.
    func nextPicture() async -> CodePicture? {
        guard scanner != nil else { return nil }
        if let kept {
            self.kept = nil
            return kept
        }
        return await withCheckedContinuation { picture = $0 }
    }

    /// Takes a picture of the page's. One of the camera is dropped while another is searched; the album's is the person's word and waits.
    func gives(_ taken: CodePicture) {
        if let picture {
            self.picture = nil
            picture.resume(returning: taken)
        } else if taken.origin == .album {
            kept = taken
        }
    }

    func leavesScanner() {
        picture?.resume(returning: nil)
        picture = nil
    }

    /// The mini program is closed: everything that waits is answered with no.
    func leaves() {
        for question in questions { question.answer.resume(returning: .no) }
        questions = []
        closesScanner()
    }
}
