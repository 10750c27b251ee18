package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.aspas.client.deployment.TextFile;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --world}: the name of a world that comes with the testbed, or a file. */
final class WorldConverter implements ITypeConverter<WorldMap> {
    @Override
    public WorldMap convert(String value) {
        try {
            Optional<String> shipped = ShippedWorlds.file(value);
            String text = shipped.isPresent() ? shipped.get() : TextFile.read(Path.of(value));
            return WorldReader.read(value, text, Roles::isServer);
        } catch (MalformedFileException | TextFile.NotTextException mistake) {
            throw new TypeConversionException(mistake.getMessage());
        } catch (IOException absent) {
            throw new TypeConversionException("there is no world and no readable file '" + value + "': worlds are "
                    + String.join(", ", ShippedWorlds.names()));
        }
    }
}
