package org.aspas.certify.identity;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rule for hosts, which holds wherever one is given (docs/vectors/texts.json): what every part of the system, addresses of HTTP among
 * them, takes for one and the same host.
 */
public final class Host {
    private static final int MOST_CHARACTERS = 253;
    private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9.-]*");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9A-Fa-f]*");
    private static final Pattern GROUP = Pattern.compile("[0-9A-Fa-f]{1,4}");
    private static final int GROUPS = 8;

    private Host() {}

    /**
     * What is wrong with a host.
     *
     * @param host a name of letters, digits and hyphens of ASCII, an IPv4 address, or an IPv6 address without brackets and zone
     * @return a few words for people that follow the host; empty when it is one
     */
    public static Optional<String> fault(String host) {
        if (host.isEmpty()) {
            return Optional.of("is empty");
        }
        if (host.indexOf(':') >= 0) {
            return isV6(host)
                    ? Optional.empty()
                    : Optional.of("is no IPv6 address without brackets and zone, and a name has no colon");
        }
        if (!CHARACTERS.matcher(host).matches()) {
            return Optional.of("has a character that no host has: letters, digits, hyphens and dots of ASCII only"
                    + " (an international name as xn--...)");
        }
        if (host.length() > MOST_CHARACTERS) {
            return Optional.of("has " + host.length() + " characters, but a name has at most " + MOST_CHARACTERS);
        }
        String[] labels = host.split("\\.", -1);
        String last = labels[labels.length - 1];
        if (NUMBER.matcher(last).matches()) {
            return isV4(host)
                    ? Optional.empty()
                    : Optional.of("is no IPv4 address of four numbers from 0 to 255 without leading zeros");
        }
        if (!Arrays.stream(labels).allMatch(label -> LABEL.matcher(label).matches())) {
            return Optional.of(
                    "has a part between dots that is empty, longer than 63 characters, or has a hyphen at an end");
        }
        return labels.length > 1 && Character.isDigit(last.charAt(0))
                ? Optional.of("ends in a part that begins with a digit, which no domain does")
                : Optional.empty();
    }

    /**
     * The host itself.
     *
     * @param where whose it is, for the message
     * @throws IllegalArgumentException with one line when it is none
     */
    public static String check(String where, String host) {
        fault(host).ifPresent(fault -> {
            throw new IllegalArgumentException(where + " '" + host + "' " + fault);
        });
        return host;
    }

    private static boolean isV4(String host) {
        String[] numbers = host.split("\\.", -1);
        return numbers.length == 4
                && Arrays.stream(numbers)
                        .allMatch(number -> number.matches("0|[1-9][0-9]{0,2}") && Integer.parseInt(number) <= 255);
    }

    private static boolean isV6(String host) {
        int gap = host.indexOf("::");
        if (gap < 0) {
            return groups(host, true) == GROUPS;
        }
        String before = host.substring(0, gap);
        String behind = host.substring(gap + 2);
        int first = before.isEmpty() ? 0 : groups(before, false);
        int last = behind.isEmpty() ? 0 : groups(behind, true);
        return first >= 0 && last >= 0 && first + last < GROUPS;
    }

    /** How many groups of 16 bits a part of an IPv6 address has; an IPv4 address at its end is two. Very negative when it is none. */
    private static int groups(String part, boolean mayEndInV4) {
        String[] groups = part.split(":", -1);
        int count = 0;
        for (int i = 0; i < groups.length; i++) {
            boolean last = i == groups.length - 1;
            if (GROUP.matcher(groups[i]).matches()) {
                count++;
            } else if (last && mayEndInV4 && isV4(groups[i])) {
                count += 2;
            } else {
                return -GROUPS;
            }
        }
        return count;
    }
}
