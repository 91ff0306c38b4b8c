import BillfoldDiagnosis
import MiniProgramZip
import MiniPrograms

extension WalletCapability {
    static func diagnosticians(_ aids: DoctorAids) -> [any Diagnostician] { [MiniProgramDiagnostician(archives: ZipPackages())] }
}
