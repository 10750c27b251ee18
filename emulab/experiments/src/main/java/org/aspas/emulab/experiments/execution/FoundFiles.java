package org.aspas.emulab.experiments.execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.aspas.client.deployment.TextFile;
import org.aspas.emulab.experiments.folder.RunFolder;
import org.aspas.emulab.experiments.plan.PlanFiles;
import org.aspas.emulab.sim.processor.CostFile;
import org.aspas.emulab.sim.role.Roles;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.aspas.emulab.sim.yaml.MalformedFileException;

/** The worlds and costs of a plan: those that it names, or those that a run folder keeps. */
final class FoundFiles implements PlanFiles {
    private final Function<String, Optional<String>> worlds;
    private final Function<String, Path> costs;

    private FoundFiles(Function<String, Optional<String>> worlds, Function<String, Path> costs) {
        this.worlds = worlds;
        this.costs = costs;
    }

    /** Shipped worlds, and files by their paths as they are now. */
    static FoundFiles here() {
        return new FoundFiles(
                world -> {
                    Optional<String> shipped = ShippedWorlds.file(world);
                    return shipped.isPresent() ? shipped : text(Path.of(world));
                },
                Path::of);
    }

    /** Those that a run folder keeps, as they were then. */
    static FoundFiles in(RunFolder folder) {
        return new FoundFiles(world -> text(folder.world(world)), file -> folder.costsFile());
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(TextFile.read(file));
        } catch (TextFile.NotTextException wrong) {
            throw new IllegalArgumentException(wrong.getMessage(), wrong);
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    Optional<String> worldText(String name) {
        return worlds.apply(name);
    }

    static WorldMap world(String name, String text) throws MalformedFileException {
        return WorldReader.read(name, text, Roles::isServer);
    }

    /**
     * What work costs; empty when there is no such file.
     *
     * @param file its name in the plan; empty where the plan has none
     * @throws IllegalArgumentException when it is no file of costs, with the line
     */
    Optional<CostFile> costs(String file) throws IOException {
        Path path = costs.apply(file);
        return Files.isRegularFile(path)
                ? Optional.of(CostFile.read(path.toString(), Files.readAllBytes(path)))
                : Optional.empty();
    }

    @Override
    public boolean hasWorld(String name) {
        return worldText(name).isPresent();
    }

    /** Whether a world has one; false for a malformed one, which is an error of its own. */
    @Override
    public boolean hasTimeline(String world) {
        try {
            return !world(world, worldText(world).orElse("")).faults().isEmpty();
        } catch (MalformedFileException mistake) {
            return false;
        }
    }

    @Override
    public boolean hasCosts(String file) {
        return Files.isRegularFile(costs.apply(file)) && Files.isReadable(costs.apply(file));
    }
}
