"""A private PostgreSQL cluster on a loopback port, owned by a user other than root."""
import glob
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

from parties import free_ports


def installed():
    """The folders of the servers' programs, the newest last."""
    return sorted(glob.glob("/usr/lib/postgresql/*/bin"))


class Cluster:
    def __init__(self, size=None):
        """With a size its folder is a file system of its own in memory, which takes root."""
        found = installed()
        if not found:
            raise RuntimeError("PostgreSQL's server is not installed: run scripts/install-packages test")
        self.bin = pathlib.Path(found[-1])
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="billfold-postgresql-"))
        self.is_mounted = size is not None
        if self.is_mounted:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(self.folder)], check=True)
        self.port = free_ports(1)[0]
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        if os.getuid() == 0:
            shutil.chown(self.folder, self.user, self.user)
        self.run("initdb", "--auth=trust", "--username=billfold", "--encoding=UTF8", "--locale=C", "-D", str(self.folder / "data"))
        settings = {
            "port": self.port, "listen_addresses": "'127.0.0.1'", "unix_socket_directories": f"'{self.folder}'", "max_connections": 200}
        for name, value in settings.items():
            self.set(name, value, is_running=False)
        self.start()
        self.address = f"postgresql://billfold@127.0.0.1:{self.port}/postgres"

    def run(self, program, *arguments, timeout=None):
        command = [str(self.bin / program), *arguments]
        if os.getuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        return subprocess.run(
            command, check=True, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout).stdout

    def set(self, name, value, is_running=True):
        """The last value written counts."""
        with (self.folder / "data/postgresql.conf").open("a") as file:
            file.write(f"{name} = {value}\n")
        if is_running:
            self.run("pg_ctl", "-D", str(self.folder / "data"), "reload")

    def start(self):
        self.run("pg_ctl", "-w", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "start")

    def psql(self, query, timeout=None):
        return self.run(
            "psql", "-h", str(self.folder), "-p", str(self.port), "-U", "billfold", "-d", "postgres", "-Atc", query, timeout=timeout).strip()

    def pause_log_writer(self):
        """From now on the log reaches the disk by what commits themselves demand: an immediate stop loses all else."""
        found = ""
        while not found:
            found = self.psql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'")
        while True:
            os.kill(int(found), signal.SIGSTOP)
            try:
                self.psql("SELECT pg_logical_emit_message(true, 'billfold', 'is it answered?')", timeout=5)
                return
            except subprocess.TimeoutExpired:
                # It was stopped while it held the log's lock, which every commit waits for.
                os.kill(int(found), signal.SIGCONT)
                time.sleep(0.1)

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-w", "-D", str(self.folder / "data"), "stop", "-m", mode)

    def close(self):
        self.stop("immediate")
        if self.is_mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)
