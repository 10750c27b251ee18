package org.aspas.bftcluster.link;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connections of those who have not shown who they are, so many at most. Anybody can make them, so that for one more
 * than that the idlest one has to go, of the address that has most of them: whoever wants all places takes them from
 * itself, and who comes and shows at once who it is finds one. Thread-safe.
 */
public final class ConnectionPlaces {
    /** An address of IPv6 stands for its network of this many bytes, within which anybody has as many as it likes. */
    private static final int IPV6_NETWORK_BYTES = 8;

    private static final int IPV6_BYTES = 16;

    private final int most;
    private final Map<String, LinkedHashSet<Place>> places = new HashMap<>();
    private int count;
    private long clock;

    /** Starts empty, with at most {@code most} places, from 1. */
    public ConnectionPlaces(int most) {
        this.most = most;
    }

    /**
     * Gives a new connection a place, which another connection may have to leave.
     *
     * @param end ends this connection at once
     */
    public Place enter(Optional<InetAddress> from, Runnable end) {
        Place place = new Place(from.map(ConnectionPlaces::network).orElse(""), end);
        Place excess = entered(place);
        if (excess != null) {
            excess.end.run();
        }
        return place;
    }

    private static String network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(bytes.length == IPV6_BYTES ? Arrays.copyOf(bytes, IPV6_NETWORK_BYTES) : bytes);
    }

    public synchronized int count() {
        return count;
    }

    private synchronized @Nullable Place entered(Place place) {
        add(place);
        if (count <= most) {
            return null;
        }
        LinkedHashSet<Place> largest = places.getOrDefault(place.network, new LinkedHashSet<>());
        for (LinkedHashSet<Place> one : places.values()) {
            boolean more = one.size() > largest.size();
            boolean idler = one.size() == largest.size() && idlest(one).heardAt < idlest(largest).heardAt;
            largest = more || idler ? one : largest;
        }
        Place excess = idlest(largest);
        remove(excess);
        return excess;
    }

    private static Place idlest(LinkedHashSet<Place> one) {
        return one.iterator().next();
    }

    private void add(Place place) {
        place.here = true;
        place.heardAt = ++clock;
        places.computeIfAbsent(place.network, any -> new LinkedHashSet<>()).add(place);
        count++;
    }

    private void remove(Place place) {
        place.here = false;
        count--;
        places.computeIfPresent(place.network, (network, all) -> {
            all.remove(place);
            return all.isEmpty() ? null : all;
        });
    }

    /** One connection, until it has shown who it is or is gone. */
    public final class Place {
        private final String network;
        private final Runnable end;
        private volatile boolean here;
        private long heardAt;

        private Place(String network, Runnable end) {
            this.network = network;
            this.end = end;
        }

        /** Notes that a message came, so that this connection is not the idlest. */
        public void heard() {
            if (here) {
                synchronized (ConnectionPlaces.this) {
                    if (here) {
                        remove(this);
                        add(this);
                    }
                }
            }
        }

        /** Gives up the place, because the connection has shown who it is, or is gone. */
        public void leave() {
            if (here) {
                synchronized (ConnectionPlaces.this) {
                    if (here) {
                        remove(this);
                    }
                }
            }
        }
    }
}
