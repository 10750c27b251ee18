package org.aspas.emulab.cli;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aspas.certify.identity.Host;

/**
 * A host and the ports that were named with it, {@code HOST[:PORT[:PORT...]]}. An IPv6 address stands in brackets there, and
 * without them in a descriptor. Immutable.
 *
 * @param text what was given, for messages
 * @param host a name or an address, as a descriptor has it
 * @param ports as many as were given, each 1 to 65535
 */
record NodeAddress(String text, String host, List<Integer> ports) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^\\[\\]:]+))((?::[^:]*)*)");
    private static final int MOST_PORTS = 3;
    static final int HIGHEST = 65_535;

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it has another form, the host is none ({@link Host}), a port is outside 1 to 65535 or there twice
     */
    static NodeAddress of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a host with ports; an IPv6 address stands in brackets, as in [::1]:7100");
        }
        List<Integer> ports = Stream.of(matcher.group(3).split(":", -1))
                .skip(1)
                .map(digits -> port(text, digits))
                .toList();
        if (Set.copyOf(ports).size() < ports.size()) {
            throw new IllegalArgumentException("'" + text + "' names a port twice");
        }
        String host = Host.check("the host", matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        NodeAddress address = new NodeAddress(text, host, ports);
        address.atMost(MOST_PORTS);
        return address;
    }

    private static int port(String text, String digits) {
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) < 1 || Integer.parseInt(digits) > HIGHEST) {
            throw new IllegalArgumentException("'" + text + "': port '" + digits + "' is outside 1.." + HIGHEST);
        }
        return Integer.parseInt(digits);
    }

    /** The port at a place, or another where none was given. */
    int port(int index, int otherwise) {
        return index < ports.size() ? ports.get(index) : otherwise;
    }

    /**
     * Checks how many ports were given.
     *
     * @throws IllegalArgumentException if there are more
     */
    void atMost(int most) {
        if (ports.size() > most) {
            throw new IllegalArgumentException(
                    "'" + text + "' has " + ports.size() + " ports, at most " + most + " belong there");
        }
    }
}
