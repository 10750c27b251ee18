package org.aspas.emulab.cli;

import java.util.stream.Collectors;
import org.aspas.emulab.rivals.SystemCatalogue;
import org.aspas.emulab.rivals.SystemChoice;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --system}: the name of a system. */
final class SystemConverter implements ITypeConverter<SystemChoice> {
    @Override
    public SystemChoice convert(String value) {
        return SystemCatalogue.named(value)
                .orElseThrow(() -> new TypeConversionException("there is no system '" + value + "': systems are "
                        + SystemCatalogue.all().stream().map(SystemChoice::name).collect(Collectors.joining(", "))));
    }
}
