package import BillfoldDiagnosis

/// `/doctor`: takes files and says what they are, what is wrong with them and how to mend it.
///
/// The page posts `{"artifacts":[{"name","bytes": base64}]}` to `/doctor` and takes the findings from the page that comes back.
package struct DoctorPage: Sendable {
    package var frame: PageFrame
    package var diagnosis: Diagnosis?
    /// The most files and bytes of one file that the form takes.
    package var mostFiles: Int
    package var mostBytes: Int

    package init(frame: PageFrame = PageFrame(), diagnosis: Diagnosis? = nil, mostFiles: Int = 12, mostBytes: Int = 262_144) {
        self.frame = frame
        self.diagnosis = diagnosis
        self.mostFiles = mostFiles
        self.mostBytes = mostBytes
    }

    package func html() throws(WebError) -> String {
        var model: [String: Any] = ["mostFiles": mostFiles, "mostBytes": mostBytes]
        if let diagnosis {
            model["diagnosis"] =
                [
                    "identified": diagnosis.identified.map { ["artifact": $0.artifact, "kind": $0.kind, "summary": $0.summary] },
                    "hasIdentified": !diagnosis.identified.isEmpty,
                    "findings": diagnosis.findings.map { finding in
                        [
                            "code": finding.code, "severity": finding.severity.rawValue, "isDefect": finding.severity == .defect,
                            "subject": finding.subject,
                            "cause": finding.cause, "mend": finding.mend,
                            "evidence": finding.evidence.map { ["name": $0.name, "value": $0.value] },
                            "hasEvidence": !finding.evidence.isEmpty,
                        ] as [String: Any]
                    },
                    "hasFindings": !diagnosis.findings.isEmpty,
                ] as [String: Any]
        }
        return try frame.render("console/doctor", title: "Doctor", path: "/doctor", scripts: ["console/doctor.js"], model)
    }
}
