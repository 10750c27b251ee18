package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.node.Costs;
import org.aspas.emulab.testbed.backup.BackupFile;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every mistake of a user is one line on standard error and the documented exit code, never a stack trace. */
class UserErrorsTest {
    private static final List<String> DESCRIPTOR_FILES =
            List.of("deployment.json", "deployment.json.sig", "operator.pub");

    @TempDir
    static Path folder;

    private static FreePorts ports;
    private static Path lab;
    private static Path other;

    @BeforeAll
    static void init() throws IOException {
        ports = FreePorts.choose();
        lab = folder.resolve("lab");
        other = folder.resolve("other");
        assertThat(CommandRun.of(ports.init(lab.toString())).exit()).isZero();
        assertThat(CommandRun.of(ports.init(other.toString())).exit()).isZero();
    }

    private static void assertError(int exit, String part, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        String what = String.join(" ", arguments) + "\n" + run.errors() + run.out();
        assertThat(run.exit()).as(what).isEqualTo(exit);
        assertThat(run.errorLines()).as(what).hasSize(1);
        assertThat(run.errors()).as(what).startsWith("aspas: ").contains(part);
        assertThat(run.errors()).as(what).doesNotContain("Exception", "\tat ");
        assertThat(run.out()).as(what).isEmpty();
    }

    /** A copy of the lab that a test may damage. */
    private static Path copy(String name) throws IOException {
        return LabCopy.of(lab, folder.resolve(name));
    }

    @Test
    void aDirectoryThatIsNone() throws Exception {
        String nowhere = folder.resolve("nowhere").toString();
        assertError(2, "is not a directory", "counter", "get", "k", "--dir", nowhere);
        assertError(2, "is not a directory", "status", "--dir", nowhere);
        String file = Files.writeString(folder.resolve("no-folder"), "x").toString();
        assertError(2, file + " is not a directory", "status", "--dir", file);
        assertError(2, nowhere + " is not a directory", "backup", lab.toString(), "--out", nowhere + "/monday.aspas");
        assertError(2, "holds a deployment already", "restore", "none.aspas", lab.toString());
        assertError(2, "is not a directory", "appserver", nowhere, "--index", "0");
        assertError(2, "is not a directory", "bftserver", nowhere, "--index", "0");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertError(2, "no deployment in " + empty, "status", "--dir", empty.toString());
        assertError(2, "no deployment in .: give --dir DIR or set ASPAS_DIR", "status", "--dir", ".");
    }

    @Test
    void aMissingOrWrongKeyFile() throws Exception {
        Path damaged = copy("keyless");
        Files.delete(damaged.resolve("keys/appserver-1.key"));
        Files.delete(damaged.resolve("keys/bftserver-1.ordering.key"));
        Files.writeString(damaged.resolve("keys/appserver-2.key"), "no key\n");
        Files.copy(
                damaged.resolve("keys/bftserver-3.ordering.key"),
                damaged.resolve("keys/bftserver-2.ordering.key"),
                StandardCopyOption.REPLACE_EXISTING);
        String directory = damaged.toString();
        assertError(2, "appserver-1.key is missing", "appserver", directory, "--index", "1");
        assertError(2, "appserver-2.key is not hexadecimal", "appserver", directory, "--index", "2");
        assertError(2, "bftserver-1.ordering.key is missing", "bftserver", directory, "--index", "1");
        assertError(2, "is not the key that the descriptor lists", "bftserver", directory, "--index", "2");
    }

    /** Said at once, and by name: an update that no server can take is not kept as if one could. */
    @Test
    void aClientThatIsNotAdmitted() throws Exception {
        Path listed = folder.resolve("listed");
        String dir = listed.toString();
        String alice = publicKey("alice", dir);
        String[] init = Stream.concat(Stream.of(FreePorts.choose().init(dir)), Stream.of("--admit", alice))
                .toArray(String[]::new);
        assertThat(CommandRun.of(init).exit()).isZero();
        assertThat(publicKey("alice", dir)).isEqualTo(alice);
        assertThat(CommandRun.of("key", "--client", "alice", "--dir", dir, "--json")
                        .out())
                .contains("\"public_key\" : \"" + alice + "\"", listed.resolve("clients/alice.key") + "\"");
        Path clients = listed.resolve("clients");
        assertError(2, "and there is no " + clients.resolve("eve.key"), update(dir, "eve"));
        assertThat(clients.resolve("eve.key"))
                .as("a new key would be admitted nowhere")
                .doesNotExist();

        assertError(2, "does not admit client eve: its public key " + publicKey("eve", dir), update(dir, "eve"));
        assertError(2, "does not admit client eve", "counter", "get", "k", "--dir", dir, "--client", "eve");
        assertThat(clients.resolve("eve.state")).doesNotExist();
        assertError(7, "kept as request", update(dir, "alice"));
    }

    /** Made on first use, also before there is a deployment. */
    private static String publicKey(String client, String dir) {
        CommandRun key = CommandRun.of("key", "--client", client, "--dir", dir);
        assertThat(key.exit()).as(key.errors()).isZero();
        return key.out().strip();
    }

    private static String[] update(String dir, String client) {
        return new String[] {"counter", "inc", "k", "--dir", dir, "--client", client, "--timeout", "1"};
    }

    @Test
    void aTamperedDescriptorOrAForeignSignature() throws Exception {
        Path tampered = copy("tampered");
        Path text = tampered.resolve("deployment.json");
        Files.writeString(text, Files.readString(text).replace("127.0.0.1", "127.0.0.2"));
        assertError(2, "is not signed by the operator", "status", "--dir", tampered.toString());
        assertError(2, "is not signed by the operator", "appserver", tampered.toString(), "--index", "0");
        Path foreign = copy("foreign");
        Files.copy(
                other.resolve("deployment.json.sig"),
                foreign.resolve("deployment.json.sig"),
                StandardCopyOption.REPLACE_EXISTING);
        assertError(2, "is not signed by the operator", "counter", "get", "k", "--dir", foreign.toString());
    }

    @Test
    void aStaleDescriptor() throws Exception {
        Path stale = copy("stale");
        for (String file : DESCRIPTOR_FILES) {
            Files.copy(other.resolve(file), stale.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        String lists = "is not the key that the descriptor lists for ";
        assertError(2, lists + "appserver-0", "appserver", stale.toString(), "--index", "0");
        assertError(2, lists + "bftserver-3", "bftserver", stale.toString(), "--index", "3");
    }

    @Test
    void textsAreSaidAsTheyAreAndCommandNoTerminal() throws Exception {
        String dir = lab.toString();
        assertError(2, "the key is empty", "counter", "inc", "", "--dir", dir);
        assertError(2, "unpaired surrogate", "counter", "get", "\ud800", "--dir", dir);
        assertError(2, "this one has 513", "counter", "get", "a".repeat(513), "--dir", dir);
        assertError(2, "--bytes '*' is not Base64", "set", "add", "k", "--bytes=*", "--dir", dir);
        assertError(2, "'7x' is not a long", "set", "add", "k", "--int=7x", "--dir", dir);
        assertError(2, "'\\u001b[31mfoo\\nbar'", "counter", "\u001b[31mfoo\nbar");
        Path secret = Files.writeString(folder.resolve("secret"), "secret contents of a file");
        CommandRun run = CommandRun.of("counter", "@" + secret);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.errors()).contains("@" + secret).doesNotContain("contents");
        Path latin1 =
                Files.write(folder.resolve("lan-latin1.yaml"), "# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertError(
                2,
                latin1 + ", line 1: the byte E9 is not UTF-8",
                "simulate",
                "--world",
                latin1.toString(),
                "--seed",
                "1");
        Path marked = copy("marked");
        Path text = marked.resolve("deployment.json");
        Files.writeString(text, "\ufeff" + Files.readString(text));
        assertError(2, "begins with a byte order mark", "status", "--dir", marked.toString());
    }

    @Test
    void hostsThatAreNone() {
        for (String host : List.of("a_b.example", "host name", "\u00fc.example", "-x", "a..b", "256.1.1.1")) {
            CommandRun run =
                    CommandRun.of("init", folder.resolve("hosts").toString(), "--appservers=" + host + ",b,c,d");
            assertThat(run.exit()).as(host).isEqualTo(2);
            assertThat(run.errorLines()).hasSize(1);
            assertThat(run.errors()).contains("the host '" + host + "' ");
            assertThat(folder.resolve("hosts")).doesNotExist();
        }
        assertError(2, "--bind 'a_b'", "appserver", lab.toString(), "--index", "0", "--bind", "a_b");
    }

    @Test
    void aPortInUse() throws Exception {
        String port = Integer.toString(ports.linkPort(0));
        try (ServerSocket taken = new ServerSocket(ports.linkPort(0))) {
            assertThat(taken.isBound()).isTrue();
            assertError(1, port, "appserver", lab.toString(), "--index", "0");
        }
        String clients = Integer.toString(ports.clientPort(0));
        try (ServerSocket taken = new ServerSocket(ports.clientPort(0))) {
            assertThat(taken.isBound()).isTrue();
            assertError(1, clients, "appserver", lab.toString(), "--index", "0");
        }
    }

    @Test
    void aNodeOfAnotherMachine() {
        String elsewhere = folder.resolve("elsewhere").toString();
        String hosts = "198.51.100.1,198.51.100.2,198.51.100.3,198.51.100.4";
        CommandRun init = CommandRun.of("init", elsewhere, "--appservers", hosts, "--bftservers", hosts);
        assertThat(init.exit()).as(init.errors()).isZero();
        String hint = "which is not an address of this machine; name one with --bind ADDRESS";
        assertError(2, "appserver-1 is at 198.51.100.2, " + hint, "appserver", elsewhere, "--index", "1");
        assertError(2, "bftserver-3 is at 198.51.100.4, " + hint, "bftserver", elsewhere, "--index", "3");
    }

    @Test
    void indexesAndNumbersOutOfRange() {
        String dir = lab.toString();
        assertError(2, "--index 4 is outside 0..3", "appserver", dir, "--index", "4");
        assertError(2, "--index -1 is outside 0..3", "bftserver", dir, "--index", "-1");
        assertError(2, "--object-memory", "appserver", dir, "--index", "0", "--object-memory", "0");
        assertError(2, "'x' is not an int", "appserver", dir, "--index", "x");
        assertError(2, "--index", "appserver", dir);
        assertError(2, "--bind", "appserver", dir, "--index", "0", "--bind", "no such host.invalid");
        assertError(2, "'example.org' is no origin", "appserver", dir, "--index", "0", "--allow-origin", "example.org");
        assertError(2, "'*' is no origin", "appserver", dir, "--index", "0", "--allow-origin", "*");
        assertError(2, "--json-api", "appserver", dir, "--index", "0", "--json-api", "maybe");
        assertError(2, "--server 4 is outside 0..3", "counter", "get", "k", "--dir", dir, "--server", "4");
        assertError(2, "'one' is not an int", "set", "get", "k", "--dir", dir, "--server", "one");
        assertError(2, "--by 0 is less than 1", "counter", "inc", "k", "--dir", dir, "--by", "0");
        assertError(2, "'1.5' is not a long", "counter", "inc", "k", "--dir", dir, "--by", "1.5");
        assertError(2, "--timeout 0 is less than 1", "counter", "get", "k", "--dir", dir, "--timeout", "0");
        assertError(2, "--count 0 is less than 1", "top", "--dir", dir, "--count", "0");
        assertError(2, "client name", "counter", "get", "k", "--dir", dir, "--client", "../me");
        assertError(2, "'many' is not a long", "certificate", "show", "many", "--dir", dir);
    }

    @Test
    void wrongWords() {
        String dir = lab.toString();
        assertError(2, "expl", "explode");
        assertError(2, "KEY", "counter", "get");
        assertError(2, "expected [local, certified] but was 'best'", "counter", "get", "k", "--level", "best");
        assertError(2, "double", "counter", "double", "k", "--dir", dir);
        assertError(2, "--wrong", "status", "--wrong", "--dir", dir);
        assertError(2, "ELEMENT", "set", "add", "k", "--dir", dir);
        assertError(2, "one argument too many: 'surplus'", "set", "get", "k", "surplus", "--dir", dir);
        assertError(2, "no command 'incr'; did you mean inc?", "counter", "incr", "k", "--dir", dir);
        assertError(2, "no command 'watch' (see aspas --help)", "watch", "k");
        assertError(2, "a command is missing: inc, dec or get", "counter");
        for (String tau : List.of("-1", "0", "inf")) {
            String must = "--tau: τ is '" + tau + "', but must be a number from 1, or unbounded";
            assertError(2, must, "counter", "inc", "k", "--tau", tau, "--dir", dir);
        }
        assertError(2, "--tau: τ is '0'", "simulate", "--tau", "0");
        assertError(2, "'show' or 'verify'", "certificate");
    }

    @Test
    void wrongDeployments() throws Exception {
        assertError(2, "holds a deployment already", "init", lab.toString());
        // Said first: the keys take seconds.
        assertError(2, "holds a deployment already", "init", lab.toString(), "--appservers", "a:1,b:2");
        String fresh = folder.resolve("fresh").toString();
        assertError(2, "--f 0 is outside 1..33", "init", fresh, "--f", "0");
        assertError(2, "--appservers lists 2, but 4 are needed", "init", fresh, "--appservers", "a:1,b:2");
        assertError(2, "port 'x' is outside 1..65535", "init", fresh, "--appservers", "a:x,b:2,c:3,d:4");
        assertError(2, "at most 1 belong there", "init", fresh, "--bftservers", "a:1:2,b:2,c:3,d:4");
        assertError(2, "port '70000' is outside", "init", fresh, "--appservers", "a:70000,b:2,c:3,d:4");
        String same = "port 8100 of a would be the service port of appserver-0 and the session port of appserver-0";
        assertError(2, same, "init", fresh, "--appservers", "a:6100:8100,b,c,d");
        String both = "port 7200 of a would be the link port of appserver-1 and the link port of bftserver-0";
        assertError(2, both, "init", fresh, "--appservers", "b,a:7200,c,d", "--bftservers", "a,b,c,d");
        String high = "the session port of appserver-2 would be 66000, above 65535";
        assertError(2, high, "init", fresh, "--appservers", "a,b,c:64000,d");
        assertError(2, "is not a public key", "init", fresh, "--admit", "abc");
        assertError(2, "--base-port 0 is outside 1..65535", "init", fresh, "--base-port", "0");
        assertError(2, "above 65535", "init", fresh, "--base-port", "65000");
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertError(2, "file", "init", file.resolve("below").toString());
        assertThat(Path.of(fresh)).doesNotExist();
    }

    /** A second deployment on one machine needs one number, and no file of it goes into a repository. */
    @Test
    void aSecondDeploymentBesideTheFirst() throws Exception {
        Path second = folder.resolve("second");
        assertThat(CommandRun.of("init", second.toString(), "--base-port", "7300")
                        .exit())
                .isZero();
        assertThat(Files.readString(second.resolve("deployment.json")))
                .contains(": 7303,", ": 8303,", ": 9303,", ": 7403,")
                .doesNotContain(": 7100,", ": 7200,");
        assertThat(Files.readAllLines(second.resolve(".gitignore"))).contains("*");
    }

    @Test
    void wrongFiles() throws Exception {
        String dir = lab.toString();
        String missing = folder.resolve("missing.cbor").toString();
        assertError(2, "is missing or cannot be read", "certificate", "verify", missing, "--dir", dir);
        assertError(2, "is missing or cannot be read", "certificate", "verify", dir, "--dir", dir);
        Path garbage =
                Files.write(folder.resolve("garbage.cbor"), "no certificate".getBytes(StandardCharsets.US_ASCII));
        assertError(1, "neither a certificate nor a proof", "certificate", "verify", garbage.toString(), "--dir", dir);
        assertError(2, "--proof needs --level certified", "counter", "get", "a", "--proof", missing, "--dir", dir);
        assertError(2, "no option '--proof'", "set", "add", "a", "b", "--proof", missing, "--dir", dir);
        assertError(2, "is missing or cannot be read", "evidence", "verify", missing, "--dir", dir);
        assertError(2, "is missing or cannot be read", "evidence", "verify", dir, "--dir", dir);
        assertError(1, "is not evidence", "evidence", "verify", garbage.toString(), "--dir", dir);
    }

    @Test
    void worldsThatCannotBe() throws Exception {
        assertError(2, "there is no world", "appserver", lab.toString(), "--index", "0", "--world", "nowhere");
        assertError(
                2,
                "needs a --world",
                "bftserver",
                lab.toString(),
                "--index",
                "0",
                "--no-supervise",
                "--world-start",
                "2026-11-22T20:00:00Z");
        assertError(2, "--place -1", "counter", "get", "k", "--dir", lab.toString(), "--world", "lan", "--place", "-1");
        assertError(2, "without --rtt", "demo", "--world", "lan", "--rtt", "70");
        assertError(2, "does not go together", "bench", "--world", "lan", "--compare-flooding", "100");
        assertError(2, "does not go together", "bench", "--world", "lan", "--split");
        assertError(2, "--split is for one system", "bench", "--split", "--compare", "ap,aspas2");
        assertError(2, "--rate is 25x", "bench", "--rate", "25x");
        assertError(2, "--rate is 201, but must be 1 to 200", "bench", "--rate", "201%");
        assertError(2, "there is no attack 'rain'", "bench", "--compare-flooding", "5", "--attack", "rain");
        assertError(2, "--attack is for --compare-flooding", "bench", "--attack", "floods");
        Path frozen = Files.writeString(folder.resolve("frozen.yaml"), """
            name: frozen
            about: One node stands still.
            networks_ms: {clients_appservers: 1, appservers: 1, appservers_bftservers: 1, bftservers: 1}
            faults: [{at: 1 s, for: 1 s, freeze: appserver-2}]
            """);
        assertError(2, "freezes appserver-2", "demo", "--world", frozen.toString());
        Path late = Files.writeString(folder.resolve("late.yaml"), """
            name: late
            about: A fault after the end.
            networks_ms: {clients_appservers: 1, appservers: 1, appservers_bftservers: 1, bftservers: 1}
            faults: [{at: 99999999 min, kill: bftserver-0, for: 1 s}]
            """);
        String never = "world late kills bftserver-0 at 5999999940 s, but the run ends at ";
        assertError(2, never + "15 s", "simulate", "--world", late.toString());
        assertError(2, never, "demo", "--no-console", "--world", late.toString());
        assertError(2, never, "bench", "--world", late.toString(), "--seconds", "1");
        assertError(2, never, "world", "run", late.toString(), lab.toString(), "--seconds", "5");
        assertError(2, never + "2 s", "emulab", "tau", "--world", late.toString(), "--seconds", "2");
        Files.writeString(
                late, Files.readString(late).replace("99999999 min", "1 s").replace("r-0", "r-4"));
        assertError(2, "kills bftserver-4 at 1 s, but there are 4", "simulate", "--world", late.toString());
        Files.writeString(frozen, "name: frozen\n");
        assertError(
                2,
                "frozen.yaml:1: about is missing",
                "appserver",
                lab.toString(),
                "--index",
                "0",
                "--world",
                frozen.toString());
    }

    @Test
    void costsThatCannotBe() throws Exception {
        Path garbage = Files.writeString(folder.resolve("costs.json"), "{}");
        assertError(2, "is missing or cannot be read", "simulate", "--costs", "missing.json");
        assertError(2, "this is no file of costs", "simulate", "--costs", garbage.toString());
        CostFile free = new CostFile(CostFile.VERSION, "none", "never", Map.of(), Map.of(), Costs.FREE);
        String costs =
                Files.writeString(folder.resolve("free.json"), free.text()).toString();
        assertError(2, "without faults, roles", "simulate", "--costs", costs, "--roles", "forking");
        assertError(2, "cores = 0", "simulate", "--costs", costs, "--cores", "0");
        assertError(2, "--warmup is 20.0 s", "simulate", "--costs", costs, "--warmup", "20");
    }

    @Test
    @Timeout(60)
    void aConsoleThatWatchesNoCounter() {
        assertError(2, "--watch: the key is empty", "console", lab.toString(), "--watch", "");
        assertError(2, "this one has 600", "console", lab.toString(), "--watch", "k".repeat(600));
    }

    /** It would serve a page whose address nobody knows, for ever. */
    @Test
    @Timeout(60)
    void aConsoleWhoseAddressCannotBeWrittenEnds() {
        PrintWriter full = new PrintWriter(new Writer() {
            @Override
            public void write(char[] text, int from, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        StringWriter errors = new StringWriter();
        int exit = Aspas.run(new String[] {"console", lab.toString()}, full, new PrintWriter(errors, true));
        assertThat(exit).as(errors.toString()).isZero();
    }

    /** As on a disk that may not be written: the record is a file that the user named, like any other. */
    @Test
    void aRecordThatCannotBeOpened() throws Exception {
        Path own = copy("looping");
        publicKey("alice", own.toString());
        Path record = own.resolve("clients").resolve("alice.state");
        Files.createSymbolicLink(record, record.getFileName());
        assertError(2, record.toString(), update(own.toString(), "alice"));
    }

    /** The system does not name it, and half of a proof proves nothing. */
    @Test
    void aFileForWhichThereIsNoRoom() {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full));
        String reason = String.valueOf(
                catchException(() -> Files.write(full, new byte[10])).getMessage());
        assertThat(UserErrors.sentence(catchException(() -> OutputFile.write(full, new byte[10]))))
                .isEqualTo("/dev/full cannot be used: " + reason);
        DeploymentDirectory deployment = new DeploymentDirectory(lab);
        Exception backup = catchException(() -> {
            try (var file = new BackupFile.Writer(full, deployment.descriptorFile(), deployment.operator())) {
                file.end();
            }
        });
        assertThat(UserErrors.sentence(backup)).isEqualTo("/dev/full cannot be used: " + reason);
    }

    @Test
    void nobodyThere() {
        String dir = lab.toString();
        assertError(7, "kept as request", "counter", "inc", "k", "--dir", dir, "--timeout", "5");
        assertError(3, "", "counter", "get", "k", "--dir", dir, "--timeout", "1");
        assertError(3, "", "certificate", "show", "--dir", dir, "--server", "2", "--timeout", "1");
        CommandRun status = CommandRun.of("status", "--dir", dir);
        assertThat(status.exit()).isEqualTo(3);
        assertThat(status.errors()).isEmpty();
        assertThat(status.out().lines().filter(line -> line.contains("unreachable")))
                .hasSize(8);
    }

    @Test
    void everyHelpNamesItsExitCodesAndExamples() {
        for (List<String> command : List.of(
                List.of("demo"),
                List.of("bench"),
                List.of("init"),
                List.of("appserver"),
                List.of("bftserver"),
                List.of("counter", "inc"),
                List.of("counter", "get"),
                List.of("set", "add"),
                List.of("pending", "list"),
                List.of("pending", "retry"),
                List.of("top"),
                List.of("status"),
                List.of("certificate", "show"),
                List.of("certificate", "verify"),
                List.of("evidence", "verify"),
                List.of("blacklist"),
                List.of("simulate"))) {
            String[] arguments =
                    Stream.concat(command.stream(), Stream.of("--help")).toArray(String[]::new);
            CommandRun help = CommandRun.of(arguments);
            assertThat(help.exit()).as(help.errors()).isZero();
            assertThat(help.errors()).isEmpty();
            assertThat(help.out()).as("%s", command).contains("Exit codes:", "Example", "aspas " + command.get(0));
            boolean runsANode = List.of("appserver", "bftserver").contains(command.get(0));
            // Not --json-api.
            assertThat(help.out().replace("--json-", "").contains("--json"))
                    .as("%s", command)
                    .isEqualTo(!runsANode);
        }
        assertThat(CommandRun.of("counter", "--help").out()).contains("wraps around");
        assertThat(CommandRun.of("counter", "inc", "--help").out()).contains("no certificate covered it");
        CommandRun all = CommandRun.of("--help");
        assertThat(all.exit()).isZero();
        assertThat(all.out()).contains("ASPAS_DIR", "ASPAS_LOG_FILE", "ASPAS_JAVA_OPTS", "--json", "Exit codes:");
    }

    @Test
    void experimentsSayWhatIsWrongWithTheirFiles() throws Exception {
        assertError(2, "a command is missing", "emulab");
        assertError(2, "experiments are paper, smoke", "emulab", "run", "nowhere.yaml");
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, "name: mine\nabout: A mistake.\nsystems: [aspas9]\n");
        assertError(2, "mine.yaml:3: there is no system aspas9", "emulab", "run", file.toString());
        assertError(
                2,
                "--only: there is no part fig9: parts are fig4-counters",
                "emulab",
                "run",
                "paper",
                "--only",
                "fig9");
        assertError(2, "run.json does not exist", "emulab", "rerun", folder.toString());
        assertError(2, "run.json does not exist", "emulab", "compare", folder.toString(), folder.toString());
        assertError(2, "--rate", "emulab", "tau", "--world", "lan", "--rate", "0");
    }
}
