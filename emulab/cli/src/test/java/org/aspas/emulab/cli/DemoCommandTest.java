package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.sim.adversary.Roles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoCommandTest {
    private static int execute(StringWriter out, Object command, String... arguments) {
        return new CommandLine(command)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments);
    }

    @Test
    void aSmallRunConverges(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("new/result.json");
        StringWriter out = new StringWriter();
        int exit = execute(
                out,
                new DemoCommand(),
                "--seconds",
                "4",
                "--warmup",
                "1",
                "--clients",
                "6",
                "--rtt",
                "5",
                "--json",
                file.toString());
        assertThat(exit).as(out.toString()).isZero();

        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.path("converged").asBoolean()).isTrue();
        assertThat(json.path("errors").asLong(-1)).isZero();
        assertThat(json.path("verification_failures").asLong(-1)).isZero();
        assertThat(json.path("certificates").asLong()).isPositive();
        assertThat(json.path("operations").asLong()).isPositive();
        assertThat(json.at("/latency_ms/p50").asDouble()).isGreaterThanOrEqualTo(5.0);
        assertThat(out.toString()).contains("not representative of production", "converged              yes");
    }

    @Test
    void aConsoleIsOpenedWhereOneIsAskedFor() {
        StringWriter out = new StringWriter();
        int exit = execute(out, new DemoCommand(), "--console", "--seconds", "4", "--clients", "6", "--world", "lan");
        assertThat(exit).as(out.toString()).isZero();
        assertThat(out.toString())
                .containsPattern("http://127\\.0\\.0\\.1:[0-9]+/[A-Za-z0-9]{32}/")
                .contains(" operations in ", "0 verification failures");
    }

    @Test
    void aConsoleGivesNoFigures() {
        StringWriter out = new StringWriter();
        assertThat(execute(out, new DemoCommand(), "--console", "--json", "figures.json"))
                .isEqualTo(2);
        assertThat(out.toString()).contains("--console does not go together with --json");
    }

    @Test
    void valuesOutOfRangeAreWrongUsage() {
        StringWriter out = new StringWriter();
        assertThat(execute(out, new DemoCommand(), "--clients", "0")).isEqualTo(2);
        assertThat(out.toString()).contains("--clients is 0, but must be 1 to 1000");
        assertThat(execute(out, new BenchCommand(), "--seconds", "0")).isEqualTo(2);
    }

    @Test
    void helpNamesEveryOption() {
        StringWriter out = new StringWriter();
        assertThat(execute(out, new DemoCommand(), "--help")).isZero();
        assertThat(out.toString())
                .contains("--seconds", "--clients", "--rtt", "--f", "--json", "--keep", "--warmup", "3 %");
        assertThat(execute(out, new BenchCommand(), "--help")).isZero();
        assertThat(out.toString()).contains("--workload", "--type", "--warmup", "5 %", "-P", "-p");
    }

    @Test
    void theRolesOfAByzantineServerAreListed() {
        StringWriter out = new StringWriter();
        assertThat(execute(out, new DemoCommand(), "--byzantine", "list")).isZero();
        assertThat(out.toString().lines().map(String::trim).map(line -> line.replaceAll(" .*", "")))
                .containsExactlyElementsOf(Roles.servers());
        assertThat(execute(out, new DemoCommand(), "--byzantine", "polite")).isEqualTo(2);
        assertThat(out.toString()).contains("there is no role polite");
        assertThat(execute(out, new DemoCommand(), "--inspect", "101")).isEqualTo(2);
        assertThat(out.toString()).contains("--inspect is 101.0, but must be 0 to 100");
    }

    /** With many wrong answers, and all inspected, so that it is soon. */
    @Test
    void aServerThatFalsifiesAnswersIsConvictedInABench(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("attacked.json");
        StringWriter out = new StringWriter();
        int exit = execute(
                out,
                new BenchCommand(),
                "--byzantine",
                "wrong-values@20",
                "--inspect",
                "50",
                "--seconds",
                "8",
                "--warmup",
                "0",
                "--clients",
                "8",
                "--json",
                file.toString());
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(exit).as(out.toString()).isIn(0, RunReport.INVALID);
        assertThat(json.at("/byzantine/withstood").asBoolean()).isTrue();
        assertThat(json.at("/byzantine/proof").asText()).isEqualTo("WRONG_ANSWER");
        assertThat(json.at("/system_figures/inspected_differs").asLong()).isPositive();
        assertThat(execute(out, new BenchCommand(), "--byzantine", "polite")).isEqualTo(2);
        assertThat(execute(out, new BenchCommand(), "--byzantine", "mute", "--compare-inspection", "1"))
                .isEqualTo(2);
    }

    @Test
    void theCostOfInspectionIsARatio(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("inspection.json");
        StringWriter out = new StringWriter();
        int exit = execute(
                out,
                new BenchCommand(),
                "--compare-inspection",
                "100",
                "--seconds",
                "1",
                "--warmup",
                "0",
                "--clients",
                "4",
                "--json",
                file.toString());
        assertThat(exit).as(out.toString()).isZero();
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.at("/off/inspections").asLong(-1)).isZero();
        assertThat(json.at("/on/inspections").asLong()).isPositive();
        assertThat(json.at("/figures/inspected_picked").asLong()).isPositive();
        assertThat(json.at("/figures/inspected_match").asLong()).isPositive();
        assertThat(json.at("/figures/inspected_differs").asLong(-1)).isZero();
        assertThat(json.at("/figures/judged_percent_of_answers").asDouble()).isPositive();
        assertThat(json.at("/ratio/operations_per_second").asDouble()).isPositive();
        assertThat(out.toString()).contains("ratio", "off, on, on, off");
    }

    @Test
    void whatFloodsCostTheOthersIsARatio(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("floods.json");
        StringWriter out = new StringWriter();
        int exit = execute(
                out,
                new BenchCommand(),
                "--compare-flooding",
                "200",
                "--attack",
                "session-floods",
                "--seconds",
                "1",
                "--warmup",
                "0",
                "--clients",
                "4",
                "--json",
                file.toString());
        assertThat(exit).as(out.toString()).isZero();
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.at("/off/flood_frames").asLong(-1)).isZero();
        assertThat(json.at("/on/flood_frames").asLong()).isPositive();
        assertThat(json.at("/ratio/update_p50_ms").asDouble()).isPositive();
        assertThat(json.path("compared").asText()).isEqualTo("session-floods");
        assertThat(execute(out, new BenchCommand(), "--compare-flooding", "0")).isEqualTo(2);
        assertThat(out.toString()).contains("--compare-flooding is 0, but must be 1 to 100000");
        assertThat(execute(out, new BenchCommand(), "--compare-flooding", "5", "--inspect", "1"))
                .isEqualTo(2);
        assertThat(out.toString()).contains("leave --inspect and --compare-inspection out");
    }

    @Test
    void whatAPipeliningClientCostsTheOthersIsARatio(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("pipelining.json");
        StringWriter out = new StringWriter();
        int exit = execute(
                out,
                new BenchCommand(),
                "--compare-pipelining",
                "50",
                "--seconds",
                "1",
                "--warmup",
                "0",
                "--clients",
                "4",
                "--json",
                file.toString());
        assertThat(exit).as(out.toString()).isZero();
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.at("/off/pipelined_updates").asLong(-1)).isZero();
        assertThat(json.at("/on/pipelined_updates").asLong()).isGreaterThan(50);
        assertThat(json.at("/ratio/update_p50_ms").asDouble()).isPositive();
        assertThat(execute(out, new BenchCommand(), "--compare-pipelining", "0"))
                .isEqualTo(2);
        assertThat(out.toString()).contains("--compare-pipelining is 0, but must be 1 to 10000");
        assertThat(execute(out, new BenchCommand(), "--compare-pipelining", "5", "--compare-flooding", "5"))
                .isEqualTo(2);
        assertThat(out.toString()).contains("two comparisons");
    }
}
