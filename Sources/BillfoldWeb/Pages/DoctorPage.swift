package import BillfoldDiagnosis

/// `/doctor`: takes files and says what they are, what is wrong with them and how to mend it.
///
/// The page posts `{"artifacts":[{"name","bytes": base64}]}` to `/doctor` and takes the findings from the page that comes back.
package struct DoctorPage: Sendable {
    private struct Row: Sendable {
        let finding: Finding
        let severity: String
        let mark: String

        init(_ finding: Finding) {
            self.finding = finding
            severity = finding.severity.rawValue
            mark = finding.severity == .defect ? "mark-bad" : "mark-open"
        }
    }

    private struct Unjudged: Sendable {
        let artifact: String
        let part: String
        let need: String
    }

    private let frame: PageFrame
    private let diagnosis: Diagnosis?
    private let rows: [Row]
    private let unjudged: [Unjudged]
    private let verdict: String
    private let mostFiles: Int
    private let mostBytes: Int

    /// - Parameters:
    ///   - mostFiles: The most files that the form takes.
    ///   - mostBytes: The most bytes of one file that the form takes.
    package init(frame: PageFrame = PageFrame(), diagnosis: Diagnosis? = nil, mostFiles: Int = 12, mostBytes: Int = 262_144) {
        self.frame = frame
        self.diagnosis = diagnosis
        rows = diagnosis?.findings.map(Row.init) ?? []
        unjudged = (diagnosis?.identified ?? []).compactMap { item in
            item.unjudged.map { Unjudged(artifact: item.artifact, part: $0.part, need: $0.need) }
        }
        verdict = unjudged.isEmpty ? "Nothing wrong was found." : "Nothing wrong was found in what was looked at."
        self.mostFiles = mostFiles
        self.mostBytes = mostBytes
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/doctor", title: "Doctor", path: "/doctor", scripts: ["console/doctor.js"], self)
    }
}
