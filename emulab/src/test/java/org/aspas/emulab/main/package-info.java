/** Tests of {@code org.aspas.emulab.main}: the commands as a user runs them. */
package org.aspas.emulab.main;
