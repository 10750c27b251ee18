package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.aspas.emulab.experiments.result.RunDifference;
import org.aspas.emulab.experiments.result.RunFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code emulab compare}: two run folders beside each other. */
@Command(
        name = "compare",
        description = {
            "Compare two run folders: print the ratio B : A of each figure of each point and",
            "the settings that differ. Brackets hold the least and the greatest ratio of any",
            "two repetitions. Points that are invalid in either folder are not compared."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas emulab compare results/before results/after"})
final class CompareCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A", description = "Run folder to compare with.")
    private Path first = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "Run folder to compare.")
    private Path second = Path.of("");

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        RunFolder one = new RunFolder(first);
        RunFolder other = new RunFolder(second);
        RunDifference difference = RunDifference.between(
                one,
                ExperimentCommand.load(one).plan().steps(),
                other,
                ExperimentCommand.load(other).plan().steps());
        if (json.wanted()) {
            json.print(JSON.valueToTree(difference));
        } else {
            print(spec.commandLine().getOut(), difference);
        }
        return ExitCodes.DONE;
    }

    private static void print(PrintWriter out, RunDifference difference) {
        out.println(difference.settings().isEmpty() ? "the settings are the same" : "settings that differ:");
        difference
                .settings()
                .forEach(setting ->
                        out.println("  " + setting.name() + ": " + setting.first() + " | " + setting.second()));
        String point = "";
        for (RunDifference.Ratio ratio : difference.ratios()) {
            if (!ratio.point().equals(point)) {
                point = ratio.point();
                out.println(point);
            }
            out.println(String.format(
                    Locale.ROOT,
                    "  %-22s %12.2f %12.2f   B : A %.2f (%.2f to %.2f)",
                    ratio.figure(),
                    ratio.first(),
                    ratio.second(),
                    ratio.ratio(),
                    ratio.low(),
                    ratio.high()));
        }
        difference.onlyOne().forEach(name -> out.println("in only one of them, or valid in only one: " + name));
        out.flush();
    }
}
