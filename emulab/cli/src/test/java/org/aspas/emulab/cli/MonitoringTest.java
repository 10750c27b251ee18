package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.bftcluster.node.BftServerMetrics;
import org.aspas.bftcluster.telemetry.MetricsPort;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What nodes tell Prometheus, and that the dashboard, the alerts and the logs in config/monitoring and docs speak of what is there. */
class MonitoringTest {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final Path MONITORING = Path.of("../../config/monitoring");
    private static final Pattern SAMPLE = Pattern.compile("([a-z0-9_]+)(?:\\{(.*)\\})? [-+0-9.eENaInf]+");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern SELECTOR = Pattern.compile("\\b((?:aspas|jvm|process)_[a-z0-9_]+)(?:\\{([^}]*)\\})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~|!~|!=|=)\"([^\"]*)\"");

    @TempDir
    static Path folder;

    private static String lab = "";
    private static FreePorts ports;
    private static NodesHere nodes;
    /** The samples of appserver-0 and bftserver-0: by name, the labels of each. */
    private static final Map<String, List<Map<String, String>>> samples = new HashMap<>();

    private static final Map<String, Double> values = new HashMap<>();

    @BeforeAll
    static void start() throws Exception {
        ports = FreePorts.choose();
        lab = folder.resolve("lab").toString();
        assertThat(CommandRun.of(ports.init(lab)).exit()).isZero();
        nodes = NodesHere.start(Path.of(lab));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> CommandRun.of("status", "--dir", lab)
                                .out()
                                .lines()
                                .filter(line -> line.matches("appserver-[0-3] +ready .*"))
                                .count()
                        == 4);
        for (String tau : List.of("1", "50", "unbounded")) {
            CommandRun run = CommandRun.of(
                    "counter", "inc", "a/" + tau, "--tau", tau, "--confirm", "--timeout", "120", "--dir", lab);
            assertThat(run.exit()).as(run.errors()).isZero();
        }
        take(get("http://127.0.0.1:" + ports.clientPort(0) + "/metrics"));
        List<NodeId> others = new DeploymentDirectory(Path.of(lab))
                .descriptor().nodes().stream()
                        .map(NodeDescription::id)
                        .filter(node -> !node.equals(NodeId.bftserver(0)))
                        .toList();
        try (MetricsPort port = MetricsPort.open(
                new InetSocketAddress("127.0.0.1", 0),
                new BftServerMetrics(nodes.bftserver(0), NodeId.bftserver(0), others)::read)) {
            take(get("http://127.0.0.1:" + port.address().getPort() + "/metrics"));
            assertThat(get("http://127.0.0.1:" + port.address().getPort() + "/livez"))
                    .isEqualTo("ok\n");
        }
    }

    @AfterAll
    static void stop() {
        nodes.close();
    }

    private static String get(String uri) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        if (uri.endsWith("/metrics")) {
            assertThat(answer.headers().firstValue("Content-Type").orElse("").toLowerCase(java.util.Locale.ROOT))
                    .contains("text/plain", "version=0.0.4");
        }
        return answer.body();
    }

    private static void take(String text) {
        for (String line : text.lines().filter(one -> !one.startsWith("#")).toList()) {
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            Map<String, String> labels = new HashMap<>();
            Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
            samples.computeIfAbsent(sample.group(1), any -> new ArrayList<>()).add(labels);
            values.put(line.substring(0, line.lastIndexOf(' ')), Double.valueOf(line.substring(line.lastIndexOf(' '))));
        }
    }

    private static double value(String name, String... labels) {
        return values.entrySet().stream()
                .filter(one ->
                        one.getKey().startsWith(name + "{") && one.getKey().contains("node=\"appserver-0\""))
                .filter(one -> List.of(labels).stream().allMatch(one.getKey()::contains))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    @Test
    void anAppserverTellsOfCertificationClientsRefusalsStoreAndLinks() {
        assertThat(value("aspas_ready")).isEqualTo(1);
        assertThat(value("aspas_certificate_number")).isPositive();
        assertThat(value("aspas_entries_delivered_total", "origin=\"appserver-0\""))
                .isGreaterThanOrEqualTo(3);
        assertThat(value("aspas_link_up", "peer=\"bftserver-")).isEqualTo(4);
        assertThat(value("aspas_link_bytes_total", "direction=\"in\"")).isPositive();
        assertThat(value("aspas_certification_lag_seconds", "step=\"whole\"", "quantile=\"0.99\""))
                .isBetween(0.0, 120.0);
        assertThat(value("aspas_public_key_operations_total", "operation=\"sign\""))
                .isPositive();
        assertThat(value("aspas_store_failing")).isZero();
        assertThat(value("aspas_alarms_total")).isZero();
        Set<String> taus = new TreeSet<>();
        samples.get("aspas_unconfirmed_updates").forEach(labels -> taus.add(labels.get("tau")));
        assertThat(taus).containsExactly("1", "1001+", "101-1000", "11-100", "2-10", "unbounded");
        assertThat(samples.get("aspas_signs")).contains(Map.of("node", "bftserver-0"));
    }

    /** Every expression names metrics that nodes serve, labels that these have, and where it names a value, one that occurs. */
    private static void check(String expression) {
        List<MatchResult> selectors = SELECTOR.matcher(expression).results().toList();
        for (MatchResult selector : selectors) {
            assertThat(samples).as(expression).containsKey(selector.group(1));
            List<Map<String, String>> labels = samples.get(selector.group(1));
            String matchers = selector.group(2) == null ? "" : selector.group(2);
            for (MatchResult one : MATCHER.matcher(matchers).results().toList()) {
                assertThat(labels).as(expression).allMatch(of -> of.containsKey(one.group(1)));
                String wanted = one.group(3);
                boolean variable = wanted.startsWith("$");
                if (!variable && one.group(2).startsWith("=")) {
                    for (String each :
                            one.group(2).equals("=") ? List.of(Pattern.quote(wanted)) : List.of(wanted.split("\\|"))) {
                        assertThat(labels)
                                .as("%s: %s", expression, each)
                                .anyMatch(of -> of.get(one.group(1)).matches(each));
                    }
                }
            }
        }
        assertThat(selectors.isEmpty() && !expression.startsWith("up{"))
                .as(expression)
                .isFalse();
    }

    @Test
    void theDashboardShowsWhatNodesTell() throws Exception {
        JsonNode dashboard =
                new ObjectMapper().readTree(MONITORING.resolve("dashboard.json").toFile());
        List<String> expressions = dashboard.path("panels").findValuesAsText("expr");
        assertThat(expressions).hasSizeGreaterThan(15);
        expressions.forEach(MonitoringTest::check);
    }

    @Test
    @SuppressWarnings("unchecked") // What YAML gives is a tree of maps and lists.
    void theAlertsWatchWhatNodesTell() throws Exception {
        Map<String, List<Map<String, List<Map<String, Object>>>>> document =
                (Map<String, List<Map<String, List<Map<String, Object>>>>>) new Load(
                                LoadSettings.builder().build())
                        .loadFromString(Files.readString(MONITORING.resolve("alerts.yml")));
        List<Map<String, Object>> rules = document.get("groups").get(0).get("rules");
        assertThat(rules).hasSizeGreaterThan(8);
        for (Map<String, Object> rule : rules) {
            assertThat(rule).containsKeys("alert", "expr", "labels", "annotations");
            check(String.valueOf(rule.get("expr")));
        }
    }

    /** A process of its own: this one's log is not the launcher's. */
    @Test
    void aNodeLogsJsonToAFileOfItsOwn() throws Exception {
        String other = folder.resolve("other").toString();
        assertThat(CommandRun.of(FreePorts.choose().init(other)).exit()).isZero();
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(
                List.of("-Xmx128m"), List.of("appserver", other, "--index", "2", "--log-format", "json")));
        builder.environment().keySet().removeIf(name -> name.startsWith("ASPAS_LOG"));
        Process node = builder.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("node.out").toFile())
                .start();
        Path log = Path.of(other, "logs", "appserver-2.log");
        try {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(log) && Files.readString(log).contains("serves clients on"));
        } finally {
            node.destroyForcibly();
            assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
        List<String> lines = Files.readAllLines(log);
        assertThat(lines.get(lines.size() - 1)).endsWith("}");
        for (String line : lines) {
            JsonNode event = new ObjectMapper().readTree(line);
            assertThat(event.path("level").asText()).as(line).isIn("INFO", "WARN");
            assertThat(event.at("/context/properties/node").asText()).isEqualTo("appserver-2");
            assertThat(event.path("timestamp").isNumber()).isTrue();
        }
        assertThat(folder.resolve(".aspas")).doesNotExist();
        CommandRun wrong = CommandRun.of("appserver", other, "--index", "2", "--log-format", "xml");
        assertThat(wrong.exit()).isEqualTo(2);
    }
}
